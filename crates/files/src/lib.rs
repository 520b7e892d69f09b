//! Names the judge's [`temporary`] folders, so that a later run can remove the folders of a killed judge. Checks that
//! no other user can change a folder ([`trusted`]), and finds the user's cache folder ([`cache_folder`]). Remembers
//! short answers in that folder ([`memo`]). Opens files of packages and of the user only if they are regular files
//! ([`regular`]), and ZIP archives within limits ([`archive`]). Lists folders ([`folder`]). Lets the user stop long
//! work on files ([`stop`]).

#![cfg_attr(not(test), deny(clippy::disallowed_macros))]

pub mod archive;
pub mod cache_folder;
pub mod folder;
pub mod memo;
pub mod regular;
pub mod stop;
pub mod temporary;
pub mod trusted;
