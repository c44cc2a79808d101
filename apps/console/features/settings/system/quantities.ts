/** Units of a size, each 1024 of the one before. */
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in its largest unit. */
export function bytes(count: number, language: string): string {
  const power = Math.min(Math.floor(Math.log(Math.max(count, 1)) / Math.log(1024)), SIZES.length - 1);
  const size = count / 1024 ** power;
  const format = { style: 'unit', unit: SIZES[power], maximumFractionDigits: size < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, format).format(size);
}

/** Units of time with their seconds. */
const SPANS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A number of seconds in its largest unit. */
export function span(seconds: number, language: string): string {
  const [unit, length] = SPANS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.floor(seconds / length),
  );
}
