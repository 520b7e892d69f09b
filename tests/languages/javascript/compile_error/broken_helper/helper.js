exports.half = (
