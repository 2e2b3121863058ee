//! Random programs with more variables than truth tables can have, compared with OxiDD.
//!
//! `RESPIN_BDD_PROGRAMS` and `RESPIN_BDD_SEED` work as for truth tables.

use super::coverage::Coverage;
use super::differential::{report, setting};
use super::machine::run;
use super::oracle::{Oracle, translate};
use super::program::Program;
use crate::bdd::{Bdd, Manager};
use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::SatCountCache;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, FunctionSubst, Manager as _, ManagerRef, Subst,
};
use std::hash::RandomState;

const PROGRAMS: u64 = 2_000;
const LENGTH: usize = 100;
/// OxiDD does not reorder: what is small for us may be large for it. With so many variables,
/// no function is too large.
const VARIABLES: std::ops::RangeInclusive<usize> = 15..=23;

struct Oxidd {
    manager: BDDManagerRef,
    variables: usize,
}

impl Oxidd {
    fn new(variables: usize) -> Oxidd {
        let manager = oxidd::bdd::new_manager(1 << 21, 1 << 14, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(variables as u32));
        Oxidd { manager, variables }
    }
}

const ENOUGH: &str = "OxiDD has enough room";

impl Oracle for Oxidd {
    type Function = BDDFunction;

    fn constant(&self, value: bool) -> BDDFunction {
        self.manager.with_manager_shared(|manager| {
            if value {
                BDDFunction::t(manager)
            } else {
                BDDFunction::f(manager)
            }
        })
    }

    fn literal(&self, variable: usize) -> BDDFunction {
        self.manager
            .with_manager_shared(|manager| BDDFunction::var(manager, variable as u32))
            .expect(ENOUGH)
    }

    fn not(&self, f: &BDDFunction) -> BDDFunction {
        f.not().expect(ENOUGH)
    }

    fn and(&self, f: &BDDFunction, g: &BDDFunction) -> BDDFunction {
        f.and(g).expect(ENOUGH)
    }

    fn xor(&self, f: &BDDFunction, g: &BDDFunction) -> BDDFunction {
        f.xor(g).expect(ENOUGH)
    }

    fn ite(&self, f: &BDDFunction, g: &BDDFunction, h: &BDDFunction) -> BDDFunction {
        f.ite(g, h).expect(ENOUGH)
    }

    fn exists(&self, f: &BDDFunction, set: u32) -> BDDFunction {
        let chosen = (0..self.variables).filter(|variable| set >> variable & 1 != 0);
        let literals: Vec<(usize, bool)> = chosen.map(|variable| (variable, true)).collect();
        f.exists(&self.cube(&literals)).expect(ENOUGH)
    }

    fn compose(&self, f: &BDDFunction, images: &[(usize, BDDFunction)]) -> BDDFunction {
        let (variables, images): (Vec<u32>, Vec<BDDFunction>) = images
            .iter()
            .map(|(variable, image)| (*variable as u32, image.clone()))
            .unzip();
        f.substitute(&Subst::new(variables, images)).expect(ENOUGH)
    }

    fn count(&self, f: &BDDFunction) -> u64 {
        let mut cache: SatCountCache<u64, RandomState> = SatCountCache::default();
        f.sat_count(self.variables as u32, &mut cache)
    }

    fn evaluate(&self, f: &BDDFunction, point: u32) -> bool {
        f.eval((0..self.variables as u32).map(|variable| (variable, point >> variable & 1 != 0)))
    }

    /// Small ones only: two orders of variables can be worlds apart.
    fn read(&self, f: &Bdd) -> Option<BDDFunction> {
        (f.size() <= 100).then(|| translate(self, f))
    }

    fn constrain(&self, _: &BDDFunction, _: &BDDFunction, _: &[usize]) -> Option<BDDFunction> {
        None
    }

    fn largest(&self) -> usize {
        300
    }
}

fn compare(program: &Program) -> Result<Coverage, String> {
    run(program, Manager::new(), Oxidd::new(program.variables))
}

#[test]
fn random_programs_compute_what_oxidd_computes() {
    let first = setting("RESPIN_BDD_SEED").unwrap_or(0);
    let count = setting("RESPIN_BDD_PROGRAMS").unwrap_or(PROGRAMS);
    for seed in first..first + count {
        let variables = VARIABLES.start() + seed as usize % VARIABLES.count();
        let program = Program::random(seed, variables, LENGTH);
        if compare(&program).is_err() {
            panic!("{}", report(program, Some(seed), compare));
        }
    }
}
