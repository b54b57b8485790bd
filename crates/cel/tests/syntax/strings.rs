//! Strings that are expressions, or nearly.

/// A deterministic source of numbers: `SplitMix64`.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the words of a line.
    fn word<'a>(&mut self, words: &'a str) -> &'a str {
        let count = words.split(' ').count();
        words.split(' ').nth(self.below(count)).unwrap_or_default()
    }

    /// Mostly one of `usual`, seldom one of `odd`, which is mostly invalid.
    fn seldom<'a>(&mut self, usual: &'a str, odd: &'a str) -> &'a str {
        let words = if self.chance(3) { odd } else { usual };
        self.word(words)
    }
}

/// Tokens, and what is nearly one.
const PIECES: &str = concat!(
    "device attributes a x has cel bind all exists_one existsOne map filter transformMap sortBy ",
    "optMap size _ __result__ Msg true false null in as for while package `a-b` `in` `` ` ",
    "0 1 42u 0x1F 0xFu 0x 1.5 .5 1. 1e9 1e+ 1E-3 1e999 9223372036854775807 9223372036854775808 ",
    "18446744073709551615u 18446744073709551616u 0x8000000000000000 's' \"t\" '''u''' ",
    "\"\"\"v\"\"\" r'\\d' R\"w\" b'y' br'z' Rb'z' '' \"\" '\\n' '\\d' '\\x41' '\\u00e9' '\\ud800' ",
    "'\\101' b'\\377' b'\\u0041' ' \" ''' \\ . . . , , : ? ? ( ( ( ) ) ) [ [ ] ] { } + - - * / % ",
    "! ! == != < <= > >= && || = & | // //c\n \n \r\n \t \u{c} \u{b} é \u{a0} # @ $ ; ~ ^ \0",
);

/// Characters for strings in which every one counts.
const CHARACTERS: &str = concat!(
    "\" \" \" ' ' ' \\ \\ a b b r r R x X u U 0 1 3 4 7 8 e E f n t v ? ` ` . - + \n \r / / _ é ",
    "( ) [ ] { } , : i n & | = ! < >",
);

/// One string. The corpus has valid expressions.
pub(crate) fn string(random: &mut Random, corpus: &[String]) -> String {
    match random.below(10) {
        0 | 1 => soup(random),
        2 | 3 => characters(random),
        4 | 5 => {
            let seed = &corpus[random.below(corpus.len())];
            mutated(random, seed)
        }
        6 | 7 => {
            let seed = expression(random, 4);
            mutated(random, &seed)
        }
        _ => expression(random, 5),
    }
}

fn soup(random: &mut Random) -> String {
    let count = random.below(14);
    let separator = random.word("  _").replace('_', " ");
    let pieces: Vec<&str> = (0..count).map(|_| random.word(PIECES)).collect();
    pieces.join(&separator)
}

fn characters(random: &mut Random) -> String {
    let count = random.below(14);
    (0..count).map(|_| random.word(CHARACTERS)).collect()
}

fn mutated(random: &mut Random, seed: &str) -> String {
    let mut characters: Vec<String> = seed.chars().map(String::from).collect();
    for _ in 0..=random.below(3) {
        let place = random.below(characters.len() + 1);
        match random.below(4) {
            0 if place < characters.len() => {
                characters.remove(place);
            }
            1 if place < characters.len() => {
                random.word(CHARACTERS).clone_into(&mut characters[place]);
            }
            2 => {
                let length = random.below(8).min(characters.len() - place);
                let copied = characters[place..place + length].to_vec();
                let target = random.below(characters.len() + 1);
                characters.splice(target..target, copied);
            }
            _ => characters.insert(place, random.word(PIECES).to_owned()),
        }
    }
    characters.concat()
}

/// An expression that is mostly valid.
fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(15) {
        return leaf(random);
    }
    let depth = depth - 1;
    match random.below(20) {
        0..8 => operation(random, depth),
        8..14 => member(random, depth),
        14..17 => collection(random, depth),
        _ => macro_call(random, depth),
    }
}

/// At least `least` expressions, and at most `more` more.
fn several(random: &mut Random, depth: usize, least: usize, more: usize) -> Vec<String> {
    let count = least + random.below(more + 1);
    (0..count).map(|_| expression(random, depth)).collect()
}

fn blank(random: &mut Random) -> String {
    random.word("  _ \n \u{c} \t //_c\n").replace('_', " ")
}

fn operation(random: &mut Random, depth: usize) -> String {
    let blank = blank(random);
    match random.below(6) {
        0 => format!(
            "{}{blank}? {} : {blank}{}",
            expression(random, depth),
            expression(random, depth),
            expression(random, depth)
        ),
        1 | 2 => {
            let operator = random.word("&& ||");
            several(random, depth, 2, 4).join(&format!(" {operator}{blank}"))
        }
        3 => {
            let operator = random.word("== != < <= > >= _in_").replace('_', " ");
            several(random, depth, 2, 1).join(&operator)
        }
        4 => {
            let operator = random.word("+ - * / % - -");
            several(random, depth, 2, 3).join(operator)
        }
        _ => {
            let operators = random.word("! !! !!! - -- --- ---- -_-").replace('_', " ");
            format!("{operators}{}", expression(random, depth))
        }
    }
}

fn member(random: &mut Random, depth: usize) -> String {
    let blank = blank(random);
    let operand = expression(random, depth);
    match random.below(5) {
        0 => format!("({blank}{operand}{blank})"),
        1 => {
            let dot = random.word(". . . .? .?_").replace('_', " ");
            format!("{operand}{blank}{dot}{}", field(random))
        }
        2 => {
            let mark = random.word(" ?");
            format!("{operand}[{mark}{}]", expression(random, depth))
        }
        3 => {
            let arguments = several(random, depth, 0, 3).join(", ");
            let end = random.seldom("", ", ? ,,");
            format!("{operand}.{}({arguments}{end})", name(random))
        }
        _ => {
            let arguments = several(random, depth, 0, 3).join(", ");
            format!("{}({arguments})", name(random))
        }
    }
}

fn collection(random: &mut Random, depth: usize) -> String {
    let count = random.below(4);
    let end = random.word("  , ,");
    let kind = random.below(3);
    let items: Vec<String> = (0..count)
        .map(|_| {
            let mark = random.word("   ?");
            let value = expression(random, depth);
            match kind {
                0 => format!("{mark}{value}"),
                1 => format!("{mark}{}: {value}", expression(random, depth)),
                _ => format!("{mark}{}: {value}", field(random)),
            }
        })
        .collect();
    let items = items.join(", ");
    let blank = blank(random);
    match kind {
        0 => format!("[{items}{end}]"),
        1 => format!("{{{items}{end}}}"),
        _ => {
            let rest = random.word("  .for .b.c");
            format!("{}{rest}{blank}{{{items}{end}}}", name(random))
        }
    }
}

fn macro_call(random: &mut Random, depth: usize) -> String {
    let target = expression(random, depth);
    let rest = several(random, depth, 1, 1).join(", ");
    match random.below(4) {
        0 => format!("has(({target}).{})", field(random)),
        1 => format!("cel.bind({}, {target}, {rest})", variable(random)),
        2 => {
            let name = random.word(concat!(
                "all exists exists_one existsOne map filter sortBy optMap optFlatMap ",
                "transformList transformMap transformMapEntry",
            ));
            format!("{target}.{name}({}, {rest})", variable(random))
        }
        _ => {
            let name = random.word(
                "all exists exists_one existsOne transformList transformMap transformMapEntry",
            );
            let (first, second) = (variable(random), variable(random));
            format!("{target}.{name}({first}, {second}, {rest})")
        }
    }
}

fn variable(random: &mut Random) -> String {
    random
        .seldom(
            "x x y k v _ (z) .w cel x1",
            "__result__ 1 a.b [x] has(a.b) f() in for",
        )
        .to_owned()
}

fn name(random: &mut Random) -> String {
    random
        .seldom(
            "device a b size map f x_1 .a _ inn truex bind cel r b br .\nb",
            "for true has in `a` as 1 a\tb",
        )
        .to_owned()
}

fn field(random: &mut Random) -> String {
    random
        .seldom(
            "a b type attributes as while `a-b` `a.b/c_d`",
            "in null `` `a 1 'a' ?a",
        )
        .to_owned()
}

fn leaf(random: &mut Random) -> String {
    if random.chance(40) {
        return name(random);
    }
    let usual = concat!(
        "1 0 -1 -\n1 1u 0xff 0xFFu -0x10 1.5 -.5 1e3 2E-2 007 9223372036854775807 ",
        "-9223372036854775808 -0x8000000000000000 1.0e+10 18446744073709551615u ",
        "18446744073709551615U 1.7976931348623157e308 5e-324 1e-400 -0.0 0.1 ",
        "123456789.123456789e-5 true false null 'a' \"a'b\" '''a'b\n'c''' ",
        "\"\"\"x\"y\r\nz\"\"\" r'\\' R'''\\\r''' b'\\x00\\377é' B\"\\\"\" bR'\\x' ",
        "'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"\\`\\?' '\\u00e9\\U0001F600\\x7f\\101' '\\xff\\377' ",
        "'é\u{10ffff}' b'\\X41' '''''' [] {}",
    );
    let odd = concat!(
        "0XFF 9223372036854775808 -9223372036854775809 18446744073709551616u 1e309 '\\udfff' ",
        "'\\U00110000' b'\\u0041' '\\400' '\\8' '\\08' '\\x4' '\\u004' '\\U0000041' '\\c' ",
        "1. 1e 0x 1_000 'a\n' ' '''a r' b''''' rb'a' 'a''b' \u{b} é",
    );
    random.seldom(usual, odd).to_owned()
}
