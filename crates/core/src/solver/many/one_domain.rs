//! The first picks that are all in one domain, such as a NUMA node.

use super::walk::{Lost, ManyWalk};
use super::{ManyQuestion, Request};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;

/// Is the devices that requests with the same candidates choose from.
struct Stock {
    /// The place of the first of those requests.
    request: usize,
    /// How many devices they need together.
    needed: usize,
    /// With the domain of each, ascending.
    devices: Vec<(usize, u32)>,
    /// By domain, how many devices.
    counts: Vec<usize>,
}

impl ManyWalk {
    /// Picks the first devices that are all in one domain, by the domains of each device;
    /// returns whether there are any, or nothing if it cannot tell.
    ///
    /// Sound: devices are in one domain each, those of requests with other candidates are
    /// others, and nothing is shared. So a domain serves if it has enough for each set of
    /// candidates, whichever are picked. The first pick of all decides about the domain,
    /// and the first devices in it that are left are the first for each request.
    ///
    /// Branches are none, so where they are limited the search has to answer.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn in_one_domain<'d>(
        &mut self,
        question: &ManyQuestion<'_>,
        (devices, domains): (usize, impl Fn(usize) -> &'d [u32]),
        meter: &mut Meter<'_>,
    ) -> Result<Option<bool>, StopCause> {
        self.start(question);
        if question.constraints() > 0 || question.has_invalid_pool {
            return Ok(None);
        }
        let stocks = match self.stocks(question, (devices, domains), meter) {
            Ok(stocks) => stocks,
            Err(Lost) => return meter.ended().map_or(Ok(None), Err),
        };
        let serves = |domain: u32| {
            let has = |stock: &Stock| stock.counts.get(domain as usize).copied().unwrap_or(0);
            stocks.iter().all(|stock| has(stock) >= stock.needed)
        };
        let firsts = stocks.first().map_or(&[][..], |stock| &stock.devices);
        let Some((_, domain)) = firsts.iter().find(|(_, domain)| serves(*domain)) else {
            return Ok(Some(false));
        };
        let rests = stocks.iter().map(|stock| {
            let devices = stock.devices.iter();
            devices.filter(|(_, own)| own == domain)
        });
        let mut rests: Vec<_> = rests.collect();
        for (place, request) in question.requests().iter().enumerate() {
            let stock = stocks
                .iter()
                .position(|stock| question.are_alike(stock.request, place));
            if let Some(rest) = stock.and_then(|stock| rests.get_mut(stock)) {
                let picks = rest.take(request.needed);
                self.picks.extend(picks.map(|(device, _)| (place, *device)));
            }
        }
        Ok(Some(true))
    }

    /// Returns what each set of candidates has, that of the first request first.
    fn stocks<'d>(
        &mut self,
        question: &ManyQuestion<'_>,
        (devices, domains): (usize, impl Fn(usize) -> &'d [u32]),
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Stock>, Lost> {
        let mut seen = Bitmap::new(devices);
        let mut stocks: Vec<Stock> = Vec::new();
        for (place, request) in question.requests().iter().enumerate() {
            let Request { needed, .. } = *request;
            let mut known = stocks.iter_mut();
            if let Some(stock) = known.find(|stock| question.are_alike(stock.request, place)) {
                stock.needed += needed;
                continue;
            }
            let mut stock = Stock {
                request: place,
                needed,
                devices: Vec::new(),
                counts: Vec::new(),
            };
            let mut next = 0;
            while let Some(device) = self.next_candidate(question, meter, place, next)? {
                next = device + 1;
                let own = question.place(device);
                if question.is_shareable(own) || question.draws(own) || seen.contains(device) {
                    return Err(Lost);
                }
                seen.insert(device);
                let domain = match domains(device) {
                    [] => continue,
                    [domain] => *domain,
                    _ => return Err(Lost),
                };
                let slot = domain as usize;
                if stock.counts.len() <= slot {
                    stock.counts.resize(slot + 1, 0);
                }
                stock.counts[slot] += 1;
                stock.devices.push((device, domain));
            }
            stocks.push(stock);
        }
        Ok(stocks)
    }
}
