/** Texts that slow down careless expressions and parsers, each of a given length. */
export interface HostilePattern {
  name: string;
  /** A text of this many characters, or slightly fewer. */
  make(length: number): string;
}

const repeated = (name: string, unit: string, end = ''): HostilePattern => ({
  name,
  make: (length) => unit.repeat(Math.max(0, Math.floor((length - end.length) / unit.length))) + end,
});

const opened = (name: string, start: string, unit: string, end = ''): HostilePattern => ({
  name,
  make: (length) => start + repeated(name, unit, end).make(Math.max(0, length - start.length)),
});

/** Balanced and nested. */
const nested = (name: string, open: string, close: string): HostilePattern => ({
  name,
  make(length) {
    const depth = Math.floor(length / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  },
});

export const HOSTILE_PATTERNS: readonly HostilePattern[] = [
  repeated('zeros and an E', '0', 'E'),
  repeated('digits and a letter', '1', 'x'),
  opened('a fraction of zeros that ends in a one', '1.', '0', '1'),
  repeated('exponents', '1e'),
  repeated('spaces', ' ', 'x'),
  opened('spaces inside', 'x', ' ', 'x'),
  repeated('tabs', '\t', 'x'),
  repeated('line breaks', '\r\n'),
  repeated('words', 'x '),
  repeated('words of their own quotes', '"x" '),
  repeated('open quotes', '"'),
  repeated('apostrophes', "'"),
  repeated('backslashes', '\\'),
  repeated('commas', ','),
  repeated('items', 'a,'),
  repeated('ids', '1,'),
  repeated('semicolons', ';', 'x'),
  repeated('dots', '.', 'x'),
  repeated('members of members', 'a.'),
  repeated('dashes', '-', 'x'),
  repeated('pluses', '+'),
  repeated('steps up', '../'),
  repeated('schemes', '://'),
  repeated('addresses', 'a@a.'),
  opened('an endless host', 'http://', 'a.'),
  repeated('percent signs', '%'),
  repeated('percent signs, encoded', '%25'),
  repeated('halves of encoded characters', '%e2%82'),
  repeated('combining marks', '\u0301'),
  opened('a letter with many marks', 'e', '\u0323\u0301'),
  repeated('halves of surrogate pairs', '\ud800'),
  repeated('pictures', '😀'),
  repeated('letters that become two', 'ß'),
  repeated('letters that become eighteen', 'ﷺ'),
  repeated('capitals that become longer', 'İ'),
  repeated('dates', '2027-01-01 '),
  opened('relative dates', 'now ', '+1 day '),
  opened('a time zone', 'UTC', '+1'),
  repeated('less-than signs', '<'),
  repeated('ampersands', '&'),
  repeated('entities in entities', '&amp;'),
  repeated('entities without an end', '&#x'),
  repeated('brackets', '['),
  repeated('parentheses', '('),
  repeated('braces', '{'),
  nested('lists in lists', '[', ']'),
  nested('objects in objects', '{"a":', '}'),
  opened('names with brackets', 'a', '[a]'),
  repeated('open paragraphs', '<p>'),
  repeated('paragraphs', '<p></p>'),
  nested('emphasis in emphasis', '<b>', '</b>'),
  repeated('closing tags', '</p>'),
  repeated('links in links', '<a href=x>'),
  repeated('tables in cells', '<table><td>'),
  repeated('open comments', '<!--'),
  repeated('declarations', '<!x '),
  repeated('scripts', '<script '),
  repeated('text areas', '<textarea>'),
  repeated('scripts that end otherwise', '<script></style>'),
  opened('attributes', '<p ', 'a '),
  opened('attributes with names of their own', '<p ', 'class="x" '),
  opened('open values', '<p ', 'a="', '<'),
  opened('open values in open tags', '', '<a ="', "'"),
  opened('equals signs', '<a ', '= '),
  repeated('prices', '1,000.50 '),
  repeated('grouped digits', '1,000'),
  repeated('language ranges', 'fr;q=0.5,'),
  repeated('tags of answers', 'W/"x",'),
];
