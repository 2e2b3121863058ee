//! Strongly connected components of explicit graphs.

/// The strongly connected component of each node; a component that another one leads to has
/// the smaller number.
///
/// Tarjan's algorithm. The stack of calls is a list, since graphs can be deeper than the
/// program's own stack.
pub fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = successors.len();
    let mut index = vec![NONE; count];
    let mut low = vec![0; count];
    let mut component = vec![NONE; count];
    let mut open: Vec<usize> = Vec::new();
    let mut next_index = 0;
    let mut next_component = 0;
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        let mut pending: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((node, edge)) = pending.pop() {
            if edge == 0 {
                index[node] = next_index;
                low[node] = next_index;
                next_index += 1;
                open.push(node);
            }
            match successors[node].get(edge) {
                Some(&successor) => {
                    pending.push((node, edge + 1));
                    if index[successor] == NONE {
                        pending.push((successor, 0));
                    } else if component[successor] == NONE {
                        low[node] = low[node].min(index[successor]);
                    }
                }
                None => {
                    if low[node] == index[node] {
                        while let Some(member) = open.pop() {
                            component[member] = next_component;
                            if member == node {
                                break;
                            }
                        }
                        next_component += 1;
                    }
                    if let Some((parent, _)) = pending.last() {
                        low[*parent] = low[*parent].min(low[node]);
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_one_component_and_successors_have_smaller_numbers() {
        // 0 -> 1 <-> 2 -> 3 with a loop, and 4 on its own.
        let successors = vec![vec![1], vec![2], vec![1, 3], vec![3], vec![]];
        let component = components(&successors);
        assert_eq!(component[1], component[2]);
        assert!(component[3] < component[1] && component[1] < component[0]);
        assert!(
            [0, 1, 3]
                .iter()
                .all(|node| component[*node] != component[4])
        );
    }

    #[test]
    fn a_long_path_does_not_exhaust_the_stack() {
        let count = 200_000;
        let successors: Vec<Vec<usize>> = (0..count).map(|node| vec![(node + 1) % count]).collect();
        assert!(components(&successors).iter().all(|number| *number == 0));
    }
}
