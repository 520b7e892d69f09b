//! Reads the key `limits`. In all format versions, it contains the same keys, except for those about time.

use std::time::Duration;

use super::places;
use crate::version::Version;
use crate::yaml::{Fields, Node, Source};
use crate::{Kind, Limits, Timing, UnstatedMemory};

const MIB: u64 = 1 << 20;

/// The keys of limits that are whole numbers, each with its unit in bytes or seconds.
const SIZES: [(&str, u64); 8] = [
    ("memory", MIB),
    ("output", MIB),
    ("code", 1 << 10),
    ("compilation_time", 1),
    ("compilation_memory", MIB),
    ("validation_time", 1),
    ("validation_memory", MIB),
    ("validation_output", MIB),
];

const PASSES: &str = "validation_passes";

/// The keys about time in the legacy versions.
const LEGACY_TIMES: [&str; 2] = ["time_multiplier", "time_safety_margin"];

pub(super) const TIME_LIMIT: &str = "time_limit";
const RESOLUTION: &str = "time_resolution";
const MULTIPLIERS: &str = "time_multipliers";

/// Returns the keys of `limits` that mean the same in every format version.
pub fn keys_of_every_version() -> impl Iterator<Item = &'static str> {
    SIZES.iter().map(|(key, _)| *key).chain([PASSES])
}

/// Returns whether some format version has this key in `limits`.
pub(super) fn is_key(key: &str) -> bool {
    let of_time = [TIME_LIMIT, RESOLUTION, MULTIPLIERS].into_iter().chain(LEGACY_TIMES);
    keys_of_every_version().chain(of_time).any(|own| own == key)
}

/// The largest limit allowed, in the unit that `problem.yaml` uses. This maximum prevents overflow when limits are
/// converted or added.
const MOST: u64 = 1 << 24;

/// The shortest time limit allowed, in seconds. Nothing shorter can be measured.
const SHORTEST_SECONDS: f64 = 1e-6;

/// The longest time limit allowed, in seconds. A longer one is a mistake.
const LONGEST_SECONDS: f64 = 1e6;

pub(super) fn read(version: Version, kind: Kind, node: Option<Node>, source: &mut Source<'_>) -> (Limits, Timing) {
    let mut timing = if version.is_legacy() { Timing::LEGACY } else { Timing::DATED };
    let Some(mut fields) = node.and_then(|node| source.fields(node)) else {
        return (Limits::default(), timing);
    };
    let mut limits = sizes(&mut fields, source);
    match version {
        Version::Legacy | Version::LegacyIcpc => {
            timing = legacy_timing(&mut fields, source);
            if kind.multi_pass {
                // `multi-pass` is DOMjudge's extension of the legacy versions, and `validation_passes` belongs to it.
                passes(kind, &mut fields, &mut limits, source);
            }
        }
        Version::V2023_07 | Version::V2025_09 => {
            limits.time = time_limit(&mut fields, source);
            timing = dated_timing(&mut fields, source);
            passes(kind, &mut fields, &mut limits, source);
        }
    }
    fields.finish_with_places(source, |key| places::of_limit(key, version.is_legacy()));
    (limits, timing)
}

fn sizes(fields: &mut Fields, source: &mut Source<'_>) -> Limits {
    let default = Limits::default();
    // BAPCtools defines this key; the format does not.
    let generation_time = fields.take_unlisted("generator_time").and_then(|node| source.whole_number(&node, 1, MOST));
    let [
        memory,
        output,
        code,
        compilation_time,
        compilation_memory,
        validation_time,
        validation_memory,
        validation_output,
    ] = SIZES.map(|(key, unit)| {
        fields.take(key).and_then(|node| source.whole_number(&node, 1, MOST)).map(|number| number * unit)
    });
    Limits {
        time: None,
        memory_bytes: memory.unwrap_or(default.memory_bytes),
        output_bytes: output.unwrap_or(default.output_bytes),
        code_bytes: code.unwrap_or(default.code_bytes),
        compilation_time: compilation_time.map_or(default.compilation_time, Duration::from_secs),
        compilation_memory_bytes: compilation_memory.unwrap_or(default.compilation_memory_bytes),
        validation_time: validation_time.map_or(default.validation_time, Duration::from_secs),
        validation_memory_bytes: validation_memory.unwrap_or(default.validation_memory_bytes),
        validation_output_bytes: validation_output.unwrap_or(default.validation_output_bytes),
        validation_passes: default.validation_passes,
        generation_time: generation_time.map_or(default.generation_time, Duration::from_secs),
        unstated_memory: UnstatedMemory {
            program: memory.is_none(),
            compilation: compilation_memory.is_none(),
            validation: validation_memory.is_none(),
        },
    }
}

fn time_limit(fields: &mut Fields, source: &mut Source<'_>) -> Option<Duration> {
    let node = fields.take(TIME_LIMIT)?;
    seconds(&node, source).map(Duration::from_secs_f64)
}

fn seconds(node: &Node, source: &mut Source<'_>) -> Option<f64> {
    source.number(node, "a number of seconds above 0 and up to 1000000", |number| {
        (SHORTEST_SECONDS..=LONGEST_SECONDS).contains(&number)
    })
}

fn factor(node: &Node, source: &mut Source<'_>) -> Option<f64> {
    source.number(node, "a number from 1 to 1000000", |number| (1.0..=LONGEST_SECONDS).contains(&number))
}

fn legacy_timing(fields: &mut Fields, source: &mut Source<'_>) -> Timing {
    let mut timing = Timing::LEGACY;
    for (key, node) in fields.take_all(&LEGACY_TIMES) {
        let Some(factor) = factor(&node, source) else { continue };
        match key {
            "time_multiplier" => timing.ac_to_time_limit = factor,
            _ => timing.time_limit_to_tle = factor,
        }
    }
    timing
}

fn dated_timing(fields: &mut Fields, source: &mut Source<'_>) -> Timing {
    let mut timing = Timing::DATED;
    if let Some(resolution) = fields.take(RESOLUTION).and_then(|node| seconds(&node, source)) {
        timing.resolution = resolution;
    }
    let multipliers = fields.take(MULTIPLIERS).and_then(|node| source.fields(node));
    let Some(mut multipliers) = multipliers else { return timing };
    for (key, node) in multipliers.take_all(&["ac_to_time_limit", "time_limit_to_tle"]) {
        let Some(factor) = factor(&node, source) else { continue };
        match key {
            "ac_to_time_limit" => timing.ac_to_time_limit = factor,
            _ => timing.time_limit_to_tle = factor,
        }
    }
    multipliers.finish(source);
    timing
}

fn passes(kind: Kind, fields: &mut Fields, limits: &mut Limits, source: &mut Source<'_>) {
    let Some(node) = fields.take(PASSES) else { return };
    if !kind.multi_pass {
        source.breach(node.place, "'validation_passes' is for problems of type multi-pass only");
    }
    if let Some(passes) = source.whole_number(&node, 2, MOST) {
        limits.validation_passes = passes as u32;
    }
}
