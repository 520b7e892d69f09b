//! Brings the results of the workers to the thread that reports them.
//!
//! A channel of a library spins before it sleeps, because its messages are often nanoseconds apart. Here they are as far
//! apart as the ends of programs, and spinning would take the core from a program.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Messages in the order of their arrival.
pub(crate) struct Mailbox<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    messages: VecDeque<T>,
    senders: usize,
    is_closed: bool,
}

/// A sender of messages. Once all senders are dropped and all messages are taken, [`Mailbox::receive`] returns `None`.
pub(crate) struct MailSender<'a, T>(&'a Mailbox<T>);

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Mailbox<T> {
        let state = State { messages: VecDeque::new(), senders: 0, is_closed: false };
        Mailbox { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(crate) fn sender(&self) -> MailSender<'_, T> {
        self.lock().senders += 1;
        MailSender(self)
    }

    /// Waits for a message and returns it; `None` if there is none and all senders are dropped.
    pub(crate) fn receive(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(message) = state.messages.pop_front() {
                return Some(message);
            }
            if state.senders == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes all later calls of [`MailSender::send`] fail.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that holds the lock panics.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> MailSender<'_, T> {
    /// Sends a message. Returns whether the mailbox is still open.
    pub(crate) fn send(&self, message: T) -> bool {
        let mut state = self.0.lock();
        if state.is_closed {
            return false;
        }
        state.messages.push_back(message);
        drop(state);
        self.0.changed.notify_one();
        true
    }
}

impl<T> Drop for MailSender<'_, T> {
    fn drop(&mut self) {
        self.0.lock().senders -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_the_end_comes_after_the_last_sender() {
        let mailbox = Mailbox::new();
        let (first, second) = (mailbox.sender(), mailbox.sender());
        assert!(first.send(1) && second.send(2));
        drop(first);
        assert_eq!((mailbox.receive(), mailbox.receive()), (Some(1), Some(2)));
        drop(second);
        assert_eq!(mailbox.receive(), None);
    }

    #[test]
    fn a_waiting_receiver_wakes_up_for_a_message_and_for_the_end() {
        let mailbox = Mailbox::new();
        std::thread::scope(|scope| {
            let sender = mailbox.sender();
            let received = scope.spawn(|| (mailbox.receive(), mailbox.receive()));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(sender.send(7));
            drop(sender);
            assert_eq!(received.join().unwrap(), (Some(7), None));
        });
    }

    #[test]
    fn a_closed_mailbox_takes_no_message() {
        let mailbox = Mailbox::new();
        let sender = mailbox.sender();
        mailbox.close();
        assert!(!sender.send(1));
    }
}
