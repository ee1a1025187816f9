//! The fate of messages: every copy is eventually delivered, or lost for a reason.

use crate::NodeId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Why a copy of a message did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Too far away: not decodable even without walls, noise sources and other senders.
    Range,
    /// Walls in the line of sight.
    Wall,
    /// Noise at the receiver, or bad luck close to the limit.
    Noise,
    /// A jammer, at the receiver or keeping the sender silent.
    Jammed,
    /// Another transmission at the same time, or the receiver was sending itself.
    Collision,
    /// The sender's queue was full.
    QueueFull,
    /// It waited too long for the medium.
    Expired,
    /// The receiver is not there, has no power, or its radio is dead or deaf.
    ReceiverDead,
    /// The sender's radio is dead or mute.
    SenderDead,
    /// The link was cut, or the team is split.
    Cut,
    /// Random loss: the loss probability of the scenario or of a broken radio.
    Chance,
    /// Larger than the largest message that the radio accepts.
    TooLarge,
}

impl Loss {
    /// All reasons.
    pub const ALL: [Loss; 12] = [
        Loss::Range,
        Loss::Wall,
        Loss::Noise,
        Loss::Jammed,
        Loss::Collision,
        Loss::QueueFull,
        Loss::Expired,
        Loss::ReceiverDead,
        Loss::SenderDead,
        Loss::Cut,
        Loss::Chance,
        Loss::TooLarge,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Loss::Range => "range",
            Loss::Wall => "wall",
            Loss::Noise => "noise",
            Loss::Jammed => "jammed",
            Loss::Collision => "collision",
            Loss::QueueFull => "queue full",
            Loss::Expired => "expired",
            Loss::ReceiverDead => "receiver dead",
            Loss::SenderDead => "sender dead",
            Loss::Cut => "cut",
            Loss::Chance => "chance",
            Loss::TooLarge => "too large",
        }
    }

    /// Its meaning in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Loss::Range => "too far away",
            Loss::Wall => "walls in the line of sight",
            Loss::Noise => "noise at the receiver",
            Loss::Jammed => "a jammer",
            Loss::Collision => "another transmission at the same time",
            Loss::QueueFull => "too many messages waited at the sender",
            Loss::Expired => "it waited too long for the medium",
            Loss::ReceiverDead => "the receiver was not there or its radio did not receive",
            Loss::SenderDead => "the sender's radio did not send",
            Loss::Cut => "the link was cut or the team was split",
            Loss::Chance => "random loss",
            Loss::TooLarge => "larger than the radio accepts",
        }
    }
}

/// Losses by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Losses([u64; Loss::ALL.len()]);

impl Losses {
    /// Counts `count` losses for one reason.
    #[inline]
    pub fn add(&mut self, why: Loss, count: u64) {
        self.0[why as usize] += count;
    }

    /// How many were lost for one reason.
    pub fn of(&self, why: Loss) -> u64 {
        self.0[why as usize]
    }

    /// How many were lost.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Loss, u64)> + '_ {
        Loss::ALL.into_iter().map(|why| (why, self.of(why))).filter(|(_, count)| *count > 0)
    }
}

/// Counts over a run. A broadcast counts as one frame, and as one copy for every other node. Every copy is eventually
/// delivered or lost, so `copies = delivered + lost + in flight` always holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Messages handed to the radio.
    pub frames: u64,
    /// Those of them that have one receiver; the others are broadcasts.
    pub unicasts: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Copies addressed: a broadcast to nine others counts nine.
    pub copies: u64,
    /// Copies that arrived.
    pub delivered: u64,
    /// Copies lost, by reason.
    pub lost: Losses,
    /// Sum of the times from transmission request to arrival over all delivered copies. [ns]
    pub latency: u64,
    /// Frames sent on the air, including retries, forwarded copies, acknowledgements and hellos.
    pub transmissions: u64,
    /// Time on the air. [ns]
    pub airtime: u64,
}

impl Tally {
    /// Counts a message that is handed to the radio, for one receiver or for all.
    pub(crate) fn sent(&mut self, to: Option<NodeId>, bytes: usize, copies: u64) {
        self.frames += 1;
        self.unicasts += u64::from(to.is_some());
        self.bytes += bytes as u64;
        self.copies += copies;
    }

    /// Counts a copy that was delivered or lost. Whoever watches fates uses it; radios count many copies at once.
    pub fn settled(&mut self, fate: &Fate) {
        match fate.lost {
            Some(why) => self.lost.add(why, 1),
            None => {
                self.delivered += 1;
                self.latency += fate.settled.saturating_sub(fate.sent);
            }
        }
    }

    /// Messages for all others.
    pub fn broadcasts(&self) -> u64 {
        self.frames - self.unicasts
    }

    /// Copies neither delivered nor lost yet.
    pub fn in_flight(&self) -> u64 {
        self.copies - self.delivered - self.lost.total()
    }

    /// Share of the settled copies that arrived; `None` if there are none.
    pub fn delivery_ratio(&self) -> Option<f64> {
        let settled = self.delivered + self.lost.total();
        (settled > 0).then(|| self.delivered as f64 / settled as f64)
    }

    /// Mean time from transmission request to arrival. [s]
    pub fn mean_latency(&self) -> Option<f64> {
        (self.delivered > 0).then(|| self.latency as f64 / self.delivered as f64 * 1e-9)
    }
}

impl std::ops::Add for Tally {
    type Output = Tally;

    fn add(mut self, other: Tally) -> Tally {
        other.lost.iter().for_each(|(why, count)| self.lost.add(why, count));
        Tally {
            frames: self.frames + other.frames,
            unicasts: self.unicasts + other.unicasts,
            bytes: self.bytes + other.bytes,
            copies: self.copies + other.copies,
            delivered: self.delivered + other.delivered,
            lost: self.lost,
            latency: self.latency + other.latency,
            transmissions: self.transmissions + other.transmissions,
            airtime: self.airtime + other.airtime,
        }
    }
}

/// A received signal, as the receiver's hardware measures it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// Received power. [dBm]
    pub rssi: f64,
    /// Signal-to-interference-plus-noise ratio. [dB]
    pub sinr: f64,
}

/// The fate of one copy of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    /// The sender, or [`NodeId::OUTSIDE`].
    pub sender: NodeId,
    /// The receiver of this copy.
    pub receiver: NodeId,
    /// The content.
    pub payload: Arc<[u8]>,
    /// When it was handed to the radio. [ns]
    pub sent: u64,
    /// When it arrived or was lost. [ns]
    pub settled: u64,
    /// Why it was lost; `None` if it arrived.
    pub lost: Option<Loss>,
    /// The signal at the receiver, if there was one.
    pub signal: Option<Signal>,
}
