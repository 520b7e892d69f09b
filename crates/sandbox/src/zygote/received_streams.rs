//! The streams of a run as the zygote receives them from the judge, or has kept them from an earlier run.

use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use super::message::Source;

/// The streams that the zygote keeps; see [`super::super::streams::KeptStreams`] for the judge's side.
#[derive(Debug, Default)]
pub(super) struct ReceivedStreams {
    input: Option<Rc<OwnedFd>>,
    outputs: Option<[Rc<OwnedFd>; 2]>,
}

impl ReceivedStreams {
    /// Returns standard input, output and error of a run, whose message carries the descriptors `sent`.
    pub(super) fn for_run(
        &mut self,
        input: Source,
        outputs: Source,
        sent: Vec<OwnedFd>,
    ) -> io::Result<[Rc<OwnedFd>; 3]> {
        let mut sent = sent.into_iter().map(Rc::new);
        let first = match input {
            Source::Kept => self.input.clone(),
            Source::Sent | Source::SentToKeep => sent.next(),
        };
        let both = match outputs {
            Source::Kept => self.outputs.clone(),
            Source::Sent | Source::SentToKeep => sent.next().zip(sent.next()).map(|(output, error)| [output, error]),
        };
        let (Some(first), Some(both), None) = (first, both, sent.next()) else {
            return Err(io::Error::other("a request for a run has the wrong number of streams"));
        };
        if input == Source::SentToKeep {
            self.input = Some(Rc::clone(&first));
        }
        if outputs == Source::SentToKeep {
            self.outputs = Some(both.clone());
        }
        let [output, error] = both;
        Ok([first, output, error])
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    fn open() -> OwnedFd {
        std::fs::File::open("/dev/null").unwrap().into()
    }

    fn numbers(streams: &[Rc<OwnedFd>; 3]) -> [i32; 3] {
        streams.each_ref().map(AsRawFd::as_raw_fd)
    }

    #[test]
    fn kept_streams_serve_later_runs_and_others_are_closed() {
        let mut received = ReceivedStreams::default();
        let first = received.for_run(Source::SentToKeep, Source::SentToKeep, vec![open(), open(), open()]).unwrap();
        let kept = numbers(&first);
        drop(first);
        assert_eq!(numbers(&received.for_run(Source::Kept, Source::Kept, vec![]).unwrap()), kept);
        let other = received.for_run(Source::Sent, Source::Kept, vec![open()]).unwrap();
        assert_eq!((Rc::strong_count(&other[0]), &numbers(&other)[1..]), (1, &kept[1..]));
        assert_eq!(numbers(&received.for_run(Source::Kept, Source::Kept, vec![]).unwrap()), kept);
    }

    #[test]
    fn a_run_with_too_few_or_too_many_streams_is_refused() {
        let mut received = ReceivedStreams::default();
        assert!(received.for_run(Source::Kept, Source::Sent, vec![open(), open()]).is_err(), "nothing was kept");
        assert!(received.for_run(Source::Sent, Source::Sent, vec![open(), open()]).is_err());
        assert!(received.for_run(Source::Sent, Source::Sent, vec![open(), open(), open(), open()]).is_err());
    }
}
