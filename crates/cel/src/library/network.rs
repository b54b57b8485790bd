//! Addresses and networks, Kubernetes' `net.IP` and `net.CIDR` libraries.

use std::net::{IpAddr, Ipv4Addr};

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use crate::EvaluationError;
use crate::check::{CIDR, IP};
use crate::runtime::{Context, Network, Outcome, Value, excerpt, invalid, no_such_overload};

const ADDRESS: P = P::Opaque(IP);
const NETWORK: P = P::Opaque(CIDR);

/// Minor version of Kubernetes that brought these libraries.
const SINCE: u32 = 30;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("ip", &[Overload::new(&[P::String], ADDRESS)], ip)
        .costing(cost::first)
        .since(SINCE),
    Function::global("isIP", &[Overload::new(&[P::String], P::Bool)], is_ip)
        .costing(cost::first)
        .since(SINCE),
    Function::global(
        "ip.isCanonical",
        &[Overload::new(&[P::String], P::Bool)],
        is_canonical,
    )
    .costing(cost::first_twice)
    .since(SINCE),
    Function::member("family", &[Overload::new(&[ADDRESS], P::Int)], family).since(SINCE),
    Function::member("isUnspecified", TEST, is_unspecified).since(SINCE),
    Function::member("isLoopback", TEST, is_loopback).since(SINCE),
    Function::member("isLinkLocalMulticast", TEST, is_link_local_multicast).since(SINCE),
    Function::member("isLinkLocalUnicast", TEST, is_link_local_unicast).since(SINCE),
    Function::member("isGlobalUnicast", TEST, is_global_unicast).since(SINCE),
    Function::global(
        "string",
        &[
            Overload::new(&[ADDRESS], P::String),
            Overload::new(&[NETWORK], P::String),
        ],
        to_string,
    )
    .since(SINCE),
    Function::global("cidr", &[Overload::new(&[P::String], NETWORK)], cidr)
        .costing(cost::first)
        .since(SINCE),
    Function::global("isCIDR", &[Overload::new(&[P::String], P::Bool)], is_cidr)
        .costing(cost::first)
        .since(SINCE),
    Function::member(
        "containsIP",
        &[
            Overload::costing(&[NETWORK, P::String], P::Bool, cost::first_twice_and_second),
            Overload::new(&[NETWORK, ADDRESS], P::Bool),
        ],
        contains_ip,
    )
    .costing(cost::first_twice)
    .since(SINCE),
    Function::member(
        "containsCIDR",
        &[
            Overload::costing(&[NETWORK, P::String], P::Bool, cost::network_and_text),
            Overload::new(&[NETWORK, NETWORK], P::Bool),
        ],
        contains_cidr,
    )
    .costing(cost::network)
    .since(SINCE),
    Function::member("ip", &[Overload::new(&[NETWORK], ADDRESS)], address).since(SINCE),
    Function::member(
        "prefixLength",
        &[Overload::new(&[NETWORK], P::Int)],
        prefix_length,
    )
    .since(SINCE),
    Function::member("masked", &[Overload::new(&[NETWORK], NETWORK)], masked).since(SINCE),
];

const TEST: &[Overload] = &[Overload::new(&[ADDRESS], P::Bool)];

fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some())
}

/// Reads an address; IPv4 addresses written as IPv6 are not allowed.
fn parse_address(text: &str) -> Option<IpAddr> {
    text.parse().ok().filter(|address| !is_mapped(*address))
}

fn parse_network(text: &str) -> Option<Network> {
    let (address, bits) = text.rsplit_once('/')?;
    let address = parse_address(address)?;
    let canonical = bits.bytes().all(|byte| byte.is_ascii_digit())
        && (bits.len() == 1 || !bits.starts_with('0'));
    let bits: u32 = bits.parse().ok().filter(|_| canonical)?;
    (bits <= width(address)).then_some(Network { address, bits })
}

/// Number of bits of an address of this family.
fn width(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

impl Network {
    fn masked(self) -> Self {
        let hidden = width(self.address) - self.bits;
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(hidden).unwrap_or(0);
                IpAddr::V4((u32::from(address) & mask).into())
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(hidden).unwrap_or(0);
                IpAddr::V6((u128::from(address) & mask).into())
            }
        };
        Self {
            address,
            bits: self.bits,
        }
    }

    fn contains(self, address: IpAddr) -> bool {
        let other = Self {
            address,
            bits: self.bits,
        };
        width(address) == width(self.address) && other.masked().address == self.masked().address
    }
}

fn text<'b>(arguments: &'b [Value<'_>]) -> Result<&'b str, EvaluationError> {
    match arguments {
        [Value::String(text)] => Ok(text),
        _ => Err(no_such_overload()),
    }
}

fn required_address(text: &str) -> Result<IpAddr, EvaluationError> {
    parse_address(text).ok_or_else(|| invalid(format!("not an IP address: `{}`", excerpt(text))))
}

fn ip<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Ip(required_address(text(arguments)?)?))
}

fn is_ip<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(parse_address(text(arguments)?).is_some()))
}

fn is_canonical<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let text = text(arguments)?;
    Ok(Value::Bool(required_address(text)?.to_string() == text))
}

fn family<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Ip(IpAddr::V4(_))] => Ok(Value::Int(4)),
        [Value::Ip(IpAddr::V6(_))] => Ok(Value::Int(6)),
        _ => Err(no_such_overload()),
    }
}

fn test<'a>(arguments: &[Value<'a>], holds: fn(IpAddr) -> bool) -> Outcome<'a> {
    match arguments {
        [Value::Ip(address)] => Ok(Value::Bool(holds(*address))),
        _ => Err(no_such_overload()),
    }
}

fn link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.segments()[0] & 0xffc0 == 0xfe80,
    }
}

fn is_unspecified<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, |address| address.is_unspecified())
}

fn is_loopback<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, |address| address.is_loopback())
}

fn is_link_local_multicast<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, |address| match address {
        IpAddr::V4(address) => address.octets()[..3] == [224, 0, 0],
        IpAddr::V6(address) => address.segments()[0] & 0xff0f == 0xff02,
    })
}

fn is_link_local_unicast<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, link_local)
}

fn is_global_unicast<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    test(arguments, |address| {
        !address.is_unspecified()
            && !address.is_loopback()
            && !address.is_multicast()
            && !link_local(address)
            && address != IpAddr::V4(Ipv4Addr::BROADCAST)
    })
}

fn to_string<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Ip(address)] => Ok(Value::string(address.to_string())),
        [Value::Cidr(network)] => Ok(Value::string(format!(
            "{}/{}",
            network.address, network.bits
        ))),
        _ => Err(no_such_overload()),
    }
}

fn required_network(text: &str) -> Result<Network, EvaluationError> {
    parse_network(text)
        .ok_or_else(|| invalid(format!("not a network in CIDR form: `{}`", excerpt(text))))
}

fn cidr<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Cidr(required_network(text(arguments)?)?))
}

fn is_cidr<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(parse_network(text(arguments)?).is_some()))
}

fn contains_ip<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (network, address) = match arguments {
        [Value::Cidr(network), Value::Ip(address)] => (network, *address),
        [Value::Cidr(network), Value::String(text)] => (network, required_address(text)?),
        _ => return Err(no_such_overload()),
    };
    Ok(Value::Bool(network.contains(address)))
}

fn contains_cidr<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (network, other) = match arguments {
        [Value::Cidr(network), Value::Cidr(other)] => (network, *other),
        [Value::Cidr(network), Value::String(text)] => (network, required_network(text)?),
        _ => return Err(no_such_overload()),
    };
    Ok(Value::Bool(
        network.bits <= other.bits && network.contains(other.address),
    ))
}

fn address<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Cidr(network)] => Ok(Value::Ip(network.address)),
        _ => Err(no_such_overload()),
    }
}

fn prefix_length<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Cidr(network)] => Ok(Value::Int(i64::from(network.bits))),
        _ => Err(no_such_overload()),
    }
}

fn masked<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Cidr(network)] => Ok(Value::Cidr(network.masked())),
        _ => Err(no_such_overload()),
    }
}
