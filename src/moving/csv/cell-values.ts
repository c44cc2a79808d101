import { storable } from '../../lib/text/text.ts';

/** Converts values of workbook cells to the texts that spreadsheets display. */

/** Decodes a text of a file, where characters that XML cannot hold are written as `_x000D_`. */
export const cellText = (text: string): string =>
  storable(
    text.replace(/_x([\da-f]{4})_/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  );

/** Kinds of formats that change the meaning of a number. */
export type CellFormat = { kind: 'number' } | { kind: 'digits'; length: number } | { kind: 'date' | 'time' | 'moment' };

const NUMBER: CellFormat = { kind: 'number' };

/**
 * Built-in formats, without codes in files (ECMA-376, part 1, 18.8.30). Some languages have dates from 27 and from 50.
 */
const BUILT_IN: readonly [from: number, to: number, kind: 'date' | 'time' | 'moment'][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
];

/** @param code format code, if the file has one: `dd.mm.yyyy hh:mm` */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) {
    const known = BUILT_IN.find(([from, to]) => id >= from && id <= to);
    return known ? { kind: known[2] } : NUMBER;
  }
  // The part for positive numbers, without texts, colours and languages; durations such as [h] stay.
  const [plain = ''] = code
    .slice(0, 500)
    .replace(/\\.|_.|\*./g, '')
    .replace(/"[^"]*"/g, '')
    .replace(/\[(?!h{1,9}\]|m{1,9}\]|s{1,9}\])[^[\]]{0,100}\]/gi, '')
    .toLowerCase()
    .split(';');
  if (/^0{2,20}$/.test(plain)) return { kind: 'digits', length: plain.length };
  if (/general|standard/.test(plain)) return NUMBER;
  const [isDate, isTime] = [/[dy]|m{3}/.test(plain) || /^m+$/.test(plain), /[hs]|am?\/pm?/.test(plain)];
  if (isDate && isTime) return { kind: 'moment' };
  if (isDate) return { kind: 'date' };
  return isTime ? { kind: 'time' } : NUMBER;
}

const DAY_S = 86_400;
/** 9999-12-31. */
const LAST_DAY = 2_958_465;

/**
 * The text of a number.
 * @param is1904 whether the file counts days from 1904
 */
export function numberText(text: string, format: CellFormat, is1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text.trim();
  if (format.kind === 'digits' && Number.isInteger(value) && value >= 0)
    return String(value).padStart(format.length, '0');
  if (format.kind === 'number' || format.kind === 'digits' || value < 0 || value > LAST_DAY) return shown(value);
  const seconds = Math.round(value * DAY_S);
  const time = new Date((seconds % DAY_S) * 1000).toISOString().slice(11, 19);
  if (format.kind === 'time' || (format.kind === 'moment' && value < 1)) return time;
  const day = dayText(Math.floor(seconds / DAY_S), is1904);
  return format.kind === 'date' ? day : `${day} ${time}`;
}

/** Rounds to fifteen digits, as spreadsheets do. */
const shown = (value: number): string => String(Number(value.toPrecision(15)));

function dayText(day: number, is1904: boolean): string {
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  // Spreadsheets have a 29 February 1900, so earlier days are shifted by one.
  const shift = !is1904 && day < 60 ? 1 : 0;
  return new Date(first + (day + shift) * DAY_S * 1000).toISOString().slice(0, 10);
}
