class Program {
