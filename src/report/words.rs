//! Enums that reports write as words.

/// Declares an enum whose values have one spelling, in texts and in JSON alike.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$comment:meta])* $value:ident = $word:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$comment])* #[serde(rename = $word)] $value,)+
        }

        impl $name {
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$value),+];

            pub fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)+
                }
            }
        }
    };
}

pub(super) use words;
