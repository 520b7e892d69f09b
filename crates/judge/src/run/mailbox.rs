//! Brings the results of the workers to the thread that reports them.
//!
//! A channel of a library spins before it sleeps, because its messages are often nanoseconds apart. Here they are as far
//! apart as the ends of programs, and spinning would take the core from a program.
//!
//! Each wake-up takes as long as half a short run, so messages that can wait are taken together. The first one wakes an
//! idle receiver, which then sleeps until a message is urgent, until there are [`MOST_WAITING`], or for
//! [`LONGEST_WAIT`].
//!
//! Results from the cache may come faster than the receiver reports them. So a sender waits while the mailbox is full.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time for which the receiver waits for more messages, once it has seen one.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_millis(10);

/// The receiver takes this many messages at the latest.
const MOST_WAITING: usize = 64;

/// The mailbox is full with this many messages. Senders that wait then go on when half of them are taken, so that
/// sender and receiver do not wake each other for each message.
const FULL: usize = 4096;

/// Messages in the order of their arrival.
pub(crate) struct Mailbox<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    /// Wakes senders that wait while the mailbox is full.
    emptied: Condvar,
}

struct State<T> {
    messages: VecDeque<T>,
    /// Whether the receiver takes the messages now: one of them is urgent, they are many, or one has waited for long.
    is_due: bool,
    receiver: Receiver,
    senders: usize,
    is_closed: bool,
}

/// What the receiver does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Works,
    WaitsForAMessage,
    /// There are messages, and the receiver waits until they are due.
    WaitsForMore,
}

/// How soon the receiver gets a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    AtOnce,
    /// At most [`LONGEST_WAIT`] after the receiver has seen it.
    CanWait,
}

/// A sender of messages. Once all senders are dropped and all messages are taken, [`Mailbox::receive`] returns `None`.
pub(crate) struct MailSender<'a, T>(&'a Mailbox<T>);

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Mailbox<T> {
        let state =
            State { messages: VecDeque::new(), is_due: false, receiver: Receiver::Works, senders: 0, is_closed: false };
        Mailbox { state: Mutex::new(state), changed: Condvar::new(), emptied: Condvar::new() }
    }

    pub(crate) fn sender(&self) -> MailSender<'_, T> {
        self.lock().senders += 1;
        MailSender(self)
    }

    /// Waits for a message that is due and returns it; `None` if there is none and all senders are dropped.
    pub(crate) fn receive(&self) -> Option<T> {
        let mut state = self.lock();
        // The end of the wait for more messages.
        let mut until = None;
        loop {
            if state.messages.is_empty() {
                state.is_due = false;
                if state.senders == 0 {
                    return None;
                }
                state.receiver = Receiver::WaitsForAMessage;
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else if state.is_due || state.senders == 0 {
                let message = state.messages.pop_front();
                if state.messages.len() == FULL / 2 {
                    self.emptied.notify_all();
                }
                return message;
            } else {
                let now = Instant::now();
                let left = until.get_or_insert(now + LONGEST_WAIT).saturating_duration_since(now);
                state.is_due = left.is_zero();
                if !state.is_due {
                    state.receiver = Receiver::WaitsForMore;
                    state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
                }
            }
            state.receiver = Receiver::Works;
        }
    }

    /// Makes all later calls of [`MailSender::send`] fail.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.emptied.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that holds the lock panics.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    /// Adds a message. Returns whether the receiver must be woken.
    fn add(&mut self, message: T, urgency: Urgency) -> bool {
        self.messages.push_back(message);
        self.is_due |= urgency == Urgency::AtOnce || self.messages.len() >= MOST_WAITING;
        let wakes = match self.receiver {
            Receiver::Works => false,
            Receiver::WaitsForAMessage => true,
            Receiver::WaitsForMore => self.is_due,
        };
        if wakes {
            // The next message need not wake the receiver again.
            self.receiver = Receiver::Works;
        }
        wakes
    }
}

impl<T> MailSender<'_, T> {
    /// Sends a message, if necessary after waiting for the receiver. Returns whether the mailbox is still open.
    pub(crate) fn send(&self, message: T, urgency: Urgency) -> bool {
        let is_full = |state: &mut State<T>| state.messages.len() >= FULL && !state.is_closed;
        let mut state = self.0.emptied.wait_while(self.0.lock(), is_full).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed {
            return false;
        }
        let wakes = state.add(message, urgency);
        drop(state);
        if wakes {
            self.0.changed.notify_one();
        }
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
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    use super::Urgency::{AtOnce, CanWait};
    use super::*;

    #[test]
    fn messages_arrive_in_order_and_the_end_comes_after_the_last_sender() {
        let mailbox = Mailbox::new();
        let (first, second) = (mailbox.sender(), mailbox.sender());
        assert!(first.send(1, CanWait) && second.send(2, AtOnce));
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
            assert!(sender.send(7, AtOnce));
            drop(sender);
            assert_eq!(received.join().unwrap(), (Some(7), None));
        });
    }

    #[test]
    fn a_closed_mailbox_takes_no_message() {
        let mailbox = Mailbox::new();
        let sender = mailbox.sender();
        mailbox.close();
        assert!(!sender.send(1, AtOnce));
    }

    #[test]
    fn a_full_mailbox_stops_the_sender_until_half_of_it_is_taken() {
        let mailbox = Mailbox::new();
        let sent = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let sender = mailbox.sender();
            scope.spawn(|| {
                let sender = sender;
                for number in 0..=FULL {
                    assert!(sender.send(number, CanWait));
                    sent.fetch_add(1, Relaxed);
                }
            });
            while sent.load(Relaxed) < FULL {
                std::thread::yield_now();
            }
            for number in 0..FULL / 2 {
                std::thread::sleep(Duration::from_millis(if number == 0 { 20 } else { 0 }));
                assert_eq!((sent.load(Relaxed), mailbox.receive()), (FULL, Some(number)));
            }
            assert!((FULL / 2..=FULL).all(|number| mailbox.receive() == Some(number)));
            assert_eq!(mailbox.receive(), None);
        });
    }

    #[test]
    fn a_sender_that_waits_learns_that_the_mailbox_is_closed() {
        let mailbox = Mailbox::new();
        std::thread::scope(|scope| {
            let sender = mailbox.sender();
            (0..FULL).for_each(|number| assert!(sender.send(number, CanWait)));
            let sent = scope.spawn(move || sender.send(FULL, CanWait));
            std::thread::sleep(Duration::from_millis(20));
            mailbox.close();
            assert!(!sent.join().unwrap());
        });
    }

    #[test]
    fn a_message_that_can_wait_arrives_without_another_one() {
        let mailbox = Mailbox::new();
        std::thread::scope(|scope| {
            let sender = mailbox.sender();
            let received = scope.spawn(|| mailbox.receive());
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(sender.send(7, CanWait));
            // The sender lives until the message has arrived.
            assert_eq!(received.join().unwrap(), Some(7));
        });
    }

    #[test]
    fn messages_that_can_wait_wake_the_receiver_for_the_first_the_urgent_or_the_last_that_fits() {
        let woken = |receiver, messages: &[Urgency]| {
            let mailbox = Mailbox::new();
            mailbox.lock().receiver = receiver;
            messages.iter().map(|&urgency| mailbox.lock().add((), urgency)).collect::<Vec<_>>()
        };
        assert_eq!(woken(Receiver::WaitsForAMessage, &[CanWait, CanWait, AtOnce]), [true, false, false]);
        assert_eq!(woken(Receiver::WaitsForMore, &[CanWait, CanWait, AtOnce, CanWait]), [false, false, true, false]);
        assert_eq!(woken(Receiver::Works, &[CanWait, AtOnce]), [false, false]);
        let many = woken(Receiver::WaitsForMore, &[CanWait; MOST_WAITING]);
        assert_eq!(many.iter().position(|&wakes| wakes), Some(MOST_WAITING - 1));
    }
}
