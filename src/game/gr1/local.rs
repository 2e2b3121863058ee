//! draft
use super::encode::{Bit, Encoding};
use crate::bdd::{Bdd, Result, Variable};
use std::collections::{HashMap, HashSet};

pub fn invariant(encoding: &Encoding, system: &[Bit], parts: &[Bdd], initial: &Bdd, leaving: &Bdd) -> Result<Bdd> {
    let manager = encoding.manager();
    let next_of: HashMap<Variable, usize> = system.iter().enumerate().map(|(i, b)| (b.next, i)).collect();
    let now_of: HashMap<Variable, usize> = system.iter().enumerate().map(|(i, b)| (b.now, i)).collect();
    // reads[i]: system bits whose current value decides what bit i becomes next
    let mut supports = Vec::new();
    for part in parts { supports.push(part.support()); }
    let n = system.len();
    let mut groups: Vec<usize> = (0..n).collect();
    fn find(g: &mut Vec<usize>, i: usize) -> usize { let mut i = i; while g[i] != i { g[i] = g[g[i]]; i = g[i]; } i }
    // joined by a part over next values of both, that is small
    for s in &supports {
        let nexts: Vec<usize> = s.iter().filter_map(|v| next_of.get(v).copied()).collect();
        if nexts.len() > 1 && nexts.len() <= 4 {
            for w in nexts.windows(2) { let (a, b) = (find(&mut groups, w[0]), find(&mut groups, w[1])); groups[a] = b; }
        }
    }
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for i in 0..n { let r = find(&mut groups, i); members.entry(r).or_default().push(i); }
    let mut result = manager.one();
    let everything: Vec<Variable> = manager.variables().collect();
    let mut lists: Vec<Vec<usize>> = members.into_values().collect();
    lists.sort();
    for group in lists {
        if group.len() > 10 { continue; }
        let set: HashSet<usize> = group.iter().copied().collect();
        let mut step = leaving.clone();
        let mut any = false;
        for (part, s) in parts.iter().zip(&supports) {
            let nexts: Vec<usize> = s.iter().filter_map(|v| next_of.get(v).copied()).collect();
            if !nexts.is_empty() && nexts.iter().all(|i| set.contains(i)) { step = step.and(part)?; any = true; }
        }
        if !any { continue; }
        let mine: HashSet<Variable> = group.iter().flat_map(|i| [system[*i].now, system[*i].next]).collect();
        let others: Vec<Variable> = everything.iter().copied().filter(|v| !mine.contains(v)).collect();
        let now = encoding.now_set(&group.iter().map(|i| system[*i]).collect::<Vec<_>>())?;
        let step = step.exists(&manager.set(&others)?)?;
        let mut reached = initial.exists(&manager.set(&others)?)?;
        loop {
            let next = encoding.to_now(&step.and_exists(&reached, &now)?)?;
            let more = reached.or(&next)?;
            if more == reached { break; }
            reached = more;
        }
        let _ = &now_of;
        result = result.and(&reached)?;
    }
    Ok(result)
}
