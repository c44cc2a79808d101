import { plainLines, plainText } from './text/text.ts';

/** Maximum nesting of objects and lists, including the outermost. */
const MAX_DEPTH = 5;
/** Maximum number of keys and list items at all levels together. */
const MAX_MEMBERS = 200;
/** Maximum length of a key. */
const MAX_KEY = 200;
/** Maximum length of all keys and texts together. */
const MAX_SIZE = 20_000;

/** Replacement for keys that are empty as plain text. */
const NAMELESS = 'answer';

export interface PlainAnswers {
  answers: Record<string, unknown> | unknown[];
  /** False if something had to be left out, shortened or renamed. */
  isComplete: boolean;
}

/**
 * Converts untrusted registration answers to plain text in keys and values, so that any program can show them to staff
 * safely. Numbers, true, false and null stay.
 * Limited to 5 levels, 200 members, 200 characters per key and 20,000 characters in all; anything beyond is left out. A
 * key that is empty without its markup becomes `answer`, and a duplicate gets a number (`answer 2`). Idempotent. Values
 * other than objects and lists give no answers.
 */
export function plainAnswers(value: unknown): PlainAnswers {
  const budget: Budget = { members: MAX_MEMBERS, size: MAX_SIZE, isComplete: true };
  const answers = typeof value === 'object' && value !== null ? plainMembers(value, budget, 1) : {};
  return { answers, isComplete: budget.isComplete };
}

/** The remaining budget of all levels together. */
interface Budget {
  members: number;
  size: number;
  isComplete: boolean;
}

function plainMembers(value: object, budget: Budget, depth: number): Record<string, unknown> | unknown[] {
  const members = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    if (budget.members === 0 || budget.size === 0) {
      budget.isComplete = false;
      break;
    }
    budget.members -= 1;
    if (!isShowable(member, depth)) {
      budget.isComplete = false;
      continue;
    }
    const name = Array.isArray(value) ? key : plainKey(key, members, budget);
    members.set(name, plainValue(member, budget, depth));
  }
  return Array.isArray(value) ? [...members.values()] : Object.fromEntries(members);
}

const isShowable = (value: unknown, depth: number): boolean =>
  value !== undefined && (typeof value !== 'object' || value === null || depth < MAX_DEPTH);

function plainValue(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') return within(plainLines(value), budget);
  return typeof value === 'object' && value !== null ? plainMembers(value, budget, depth + 1) : value;
}

/**
 * A unique key. `__proto__` is checked after tags are removed, since tags inside it would get it past the JSON parser.
 */
function plainKey(key: string, taken: ReadonlyMap<string, unknown>, budget: Budget): string {
  const text = plainText(key);
  const isUsable = text !== '' && text !== '__proto__' && text.length <= MAX_KEY;
  const shown = text === '__proto__' ? '' : text.slice(0, MAX_KEY).trim();
  const wanted = within(shown, budget) || NAMELESS;
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted} ${number}`;
  if (!isUsable || free !== wanted) budget.isComplete = false;
  return free;
}

function within(text: string, budget: Budget): string {
  const kept = text.slice(0, budget.size).toWellFormed().trim();
  budget.size -= kept.length;
  if (kept !== text) budget.isComplete = false;
  return kept;
}
