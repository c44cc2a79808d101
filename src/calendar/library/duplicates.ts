import { isSameWebsite } from '../linked-posts/kind.ts';

/** Finds probable duplicates: by name, by the identifying attributes of their kind, and by place. */

/** Properties of a record needed for a comparison. */
export interface Candidate {
  id: number;
  /** Folded. */
  name: string;
  /** Identifying values, by attribute: `website` -> `https://…`. */
  traits: Readonly<Record<string, string>>;
  lat?: number;
  lng?: number;
}

export interface Pair {
  ids: [number, number];
  /** `name`, `place`, or the shared traits. */
  reasons: string[];
}

/** Maximum number of pairs. */
export const MAX_PAIRS = 200;
/**
 * Maximum number of pairs among the neighbours of a record, and of neighbours compared with it, so that a crowded place
 * costs no more.
 */
const MAX_NEAR = 5;
const MAX_SCANNED = 500;
const NEAR_METRES = 100;
const METRES_PER_DEGREE = 111_320;

/**
 * Pairs of probable duplicates, those with the most reasons first. Of several records that share a value, each is
 * paired with the oldest one.
 * @param candidates by id
 */
export function findPairs(candidates: readonly Candidate[]): Pair[] {
  const pairs = new Map<string, Pair>();
  const add = (one: Candidate, other: Candidate, reason: string) => {
    const ids: [number, number] = [Math.min(one.id, other.id), Math.max(one.id, other.id)];
    const key = `${ids[0]} ${ids[1]}`;
    const pair = pairs.get(key) ?? { ids, reasons: [] };
    pairs.set(key, pair);
    if (!pair.reasons.includes(reason)) pair.reasons.push(reason);
  };
  const first = new Map<string, Candidate>();
  for (const candidate of candidates) {
    for (const [reason, value] of Object.entries({ name: candidate.name, ...candidate.traits })) {
      const oldest = first.get(`${reason} ${value}`);
      if (oldest) add(oldest, candidate, reason);
      else if (value !== '') first.set(`${reason} ${value}`, candidate);
    }
  }
  for (const [one, other] of neighbours(candidates)) add(one, other, 'place');
  return [...pairs.values()]
    .sort((a, b) => b.reasons.length - a.reasons.length || a.ids[0] - b.ids[0] || a.ids[1] - b.ids[1])
    .slice(0, MAX_PAIRS);
}

type Placed = Candidate & { lat: number; lng: number };

const isPlaced = (candidate: Candidate): candidate is Placed =>
  candidate.lat !== undefined && candidate.lng !== undefined;

/** Records within a hundred metres of each other, found by sorting them by latitude. */
function* neighbours(candidates: readonly Candidate[]): Generator<[Candidate, Candidate]> {
  const placed = candidates.filter(isPlaced).toSorted((a, b) => a.lat - b.lat);
  for (const [index, one] of placed.entries()) {
    const last = Math.min(index + MAX_SCANNED, placed.length - 1);
    for (let at = index + 1, found = 0; at <= last && found < MAX_NEAR; at += 1) {
      const other = placed[at];
      if (!other || (other.lat - one.lat) * METRES_PER_DEGREE > NEAR_METRES) break;
      if (!isNear(one, other)) continue;
      found += 1;
      yield [one, other];
    }
  }
}

function isNear(one: Placed, other: Placed): boolean {
  const north = (one.lat - other.lat) * METRES_PER_DEGREE;
  const east = (one.lng - other.lng) * METRES_PER_DEGREE * Math.cos((one.lat * Math.PI) / 180);
  return north * north + east * east <= NEAR_METRES * NEAR_METRES;
}

/** Normal form of a web address, for comparison. */
export const websiteKey = (address: string): string =>
  isSameWebsite(address, address) ? (URL.parse(address)?.href ?? '').replace(/^https?:\/\/(www\.)?/, '') : '';
