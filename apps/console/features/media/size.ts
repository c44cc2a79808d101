import { language } from '../../i18n/texts.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

/** A size of a file, such as `1.4 MB`. */
export function bytesShown(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const format = { style: 'unit', unit: UNITS[step] ?? 'byte', maximumFractionDigits: step === 2 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step);
}
