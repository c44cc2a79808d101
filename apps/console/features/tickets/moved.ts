/** A list in which one member has changed places with the next one or the one before it. */
export function moved<T>(list: readonly T[], index: number, by: 1 | -1): T[] {
  const [one, other] = [list[index], list[index + by]];
  if (one === undefined || other === undefined) return [...list];
  return list.map((member, at) => {
    if (at === index) return other;
    return at === index + by ? one : member;
  });
}
