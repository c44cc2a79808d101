/** A hand scanner types a code like a keyboard: much faster than a person, and ends with Enter. */

/** Longest time between two of its keys, in milliseconds. */
const FAST = 40;
const SHORTEST = 6;
const LONGEST = 2000;

export interface Stroke {
  key: string;
  /** Physical key, such as `KeyA`. */
  code: string;
  hasShift: boolean;
  /** Milliseconds. */
  at: number;
}

export interface Burst {
  /** Text by the layout of the device. */
  typed: string;
  /** Text by the default layout of scanners, whatever the layout of the device. */
  asUs: string;
  at: number;
}

export const NO_BURST: Burst = { typed: '', asUs: '', at: Number.NEGATIVE_INFINITY };

/** Characters of the keys of a US keyboard, without and with Shift. */
const US: Readonly<Record<string, string>> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  ...Object.fromEntries([...'0123456789'].map((digit, index) => [`Digit${digit}`, digit + ')!@#$%^&*('[index]])),
};

function onUsKeyboard({ key, code, hasShift }: Stroke): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return hasShift ? letter : letter.toLowerCase();
  return US[code]?.[hasShift ? 1 : 0] ?? key;
}

/** Follows the keys. `scanned` has the texts that a scanner may have meant, once it has sent Enter. */
export function burstAfter(burst: Burst, stroke: Stroke): { burst: Burst; scanned?: string[] } {
  const isFast = stroke.at - burst.at <= FAST;
  if (stroke.key === 'Enter') {
    const { typed, asUs } = burst;
    if (!isFast || typed.length < SHORTEST) return { burst: NO_BURST };
    return { burst: NO_BURST, scanned: typed === asUs ? [typed] : [typed, asUs] };
  }
  // Shift and the like.
  if ([...stroke.key].length !== 1) return { burst: isFast ? { ...burst, at: stroke.at } : burst };
  const before = isFast ? burst : NO_BURST;
  const next = { typed: before.typed + stroke.key, asUs: before.asUs + onUsKeyboard(stroke), at: stroke.at };
  return { burst: next.typed.length > LONGEST ? NO_BURST : next };
}

/** Listens to hand scanners, wherever the focus is. Returns the function that ends it. */
export function listenToScanner(onScan: (texts: string[]) => void): () => void {
  let burst = NO_BURST;
  const listener = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    const { key, code, shiftKey: hasShift, timeStamp: at } = event;
    const after = burstAfter(burst, { key, code, hasShift, at });
    const typed = burst.typed.length;
    burst = after.burst;
    if (!after.scanned) return;
    event.preventDefault();
    event.stopPropagation();
    takeBack(document.activeElement, typed);
    onScan(after.scanned);
  };
  document.addEventListener('keydown', listener, true);
  return () => document.removeEventListener('keydown', listener, true);
}

/** Removes the characters of a scanner from the field that had the focus. */
function takeBack(element: Element | null, length: number): void {
  if (!(element instanceof HTMLInputElement)) return;
  element.value = element.value.slice(0, Math.max(0, element.value.length - length));
  element.dispatchEvent(new Event('input', { bubbles: true }));
}
