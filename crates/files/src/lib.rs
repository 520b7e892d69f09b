//! Names the judge's [`temporary`] folders, so that a later run can remove the folders of a killed judge. Checks that
//! no other user can change a folder ([`trusted`]), and finds the user's cache folder ([`cache_folder`]).
//! Remembers short answers in that folder ([`memo`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod cache_folder;
pub mod memo;
pub mod temporary;
pub mod trusted;
