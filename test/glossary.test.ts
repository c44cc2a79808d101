import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/** Folders with sources, whose comments, descriptions and messages follow docs/glossary.md. */
const SOURCES = ['apps', 'bench', 'packages/client/src', 'scripts', 'src'];

/** Frozen, generated, or without prose of ours; tests follow below. */
const EXCEPT = /\.test\.ts$|^src\/db\/migrations\/|^src\/demo\/data\/|^packages\/client\/src\/api\.ts$/;

/** Pages of text. The glossary itself lists the words that were given up. */
const PAGES = ['docs/*.md', 'README.md', 'CONTRIBUTING.md', 'bench/README.md', 'packages/client/README.md'];

/** English messages; the forms of a plural are an object. */
const MESSAGES = ['src/locales/en.json', 'apps/**/locales/en.json'];

/** Folders with tests, whose comments and titles follow it; other texts in tests are data. */
const TESTS = ['apps', 'packages', 'src', 'test'];

/** Words and phrases that comments and API descriptions avoid, each with a sentence that has it. */
const GIVEN_UP: readonly (readonly [RegExp, string])[] = [
  [/\b(some|no|every)body\b/i, 'Nobody reads the response.'],
  [/\bwho(so)?ever\b/i, 'Pictures for whoever asks again.'],
  [/\banonymous (users?|viewers?)\b/i, 'Anonymous users must learn nothing.'],
  [/\b(an|each|every|one|some|the) act\b|\bacts that\b/i, 'Kills of an act.'],
  [/\bstrangers?\b/i, 'Strangers must not learn the ids.'],
  [/\b(purchasers?|buyers?)\b/i, 'Name of the buyer.'],
  // A function has a caller, and RSVPs and questions have answers.
  [/\bcallers? (who|with|without|may|has|sees?)\b/i, 'For callers who may edit.'],
  [/\b(every|each|several|many|same|concurrent|authorised|privileged|\d+) callers?\b/i, 'Sends it as every caller.'],
  [/\banswer(s|ed)?( with)? (an? )?([1-5]\d\d|%[ij]|error)\b/i, 'Pages that answer 404.'],
  [/\b(is|are|was|were|been) answered\b/i, 'Requests that are answered.'],
  [/\banswers (an?|every|all|each|the|most|no) (\w+ )?requests?\b/i, 'A server that answers every request.'],
  [/\b(error|list|lost|first|last|stored|complete|slowest) answers?\b/i, 'It gets the first answer again.'],
  [/\b(no|without( an?)?|waits? for (an|the|its)) answer\b/i, 'It waits for the answer.'],
  [/\b(do|does|did) not answer\b|\btoo long to answer\b/i, 'A server that does not answer.'],
  [
    /\banswers? (of|from|to) (the |an? |every |each )?(server|endpoint|call|operation|request|sale|scan|source|Stripe)s?\b/i,
    'The answer of the server.',
  ],
  [/\b(its|their|named|invited) guests\b/i, 'Mails the organizer sends to its guests.'],
  [/\b(users|visitors|people|customers|viewers) who has\b|\bone who\b/i, 'For one who has an account.'],
  [/\bthose who\b/i, 'For those who may edit.'],
  [/\bthat of (the|an?)\b/i, 'By default that of the site.'],
  [/\bremembered\b/i, 'Responses that are remembered.'],
  [/\bshort way\b/i, 'Takes the short way.'],
  [/\bstands\b/i, 'A word that stands below it.'],
  [/\b(is|are) over\b(?! \d)/i, 'Sessions that are over.'],
  [/\bon the clock of\b/i, 'A time on the clock of the site.'],
  [/\bways? to pay\b/i, 'The way to pay of an order.'],
  [/\bby hand\b/i, 'Sold by hand.'],
];

/** Clauses that begin a comment in place of a noun or an imperative. */
const GIVEN_UP_FIRST: readonly (readonly [RegExp, string])[] = [
  [/^(What|Who|Whose|Whom)\b/, 'Who has the link may read it.'],
  [/^(That|Those) (of|that|who|which)\b/, 'Those of the last day.'],
  [/^Of (whom|which|those|a|an|the)\b/, 'Of an order whose events are deleted.'],
];

interface Prose {
  text: string;
  isComment: boolean;
}

interface Comment {
  value: string;
  start: number;
  end: number;
}

/** Comments of a source; line comments below each other are one. */
function commentsOf(source: string, comments: readonly Comment[]): string[] {
  const joined: (Comment & { isLine: boolean })[] = [];
  for (const { value, start, end } of comments) {
    const isLine = source.startsWith('//', start);
    const last = joined.at(-1);
    if (last?.isLine && isLine && /^\n[ \t]*$/.test(source.slice(last.end, start))) {
      last.value += value;
      last.end = end;
    } else joined.push({ value, start, end, isLine });
  }
  return joined.map(({ value }) => value.replace(/^[ \t]*\*+/gm, ' '));
}

/** Texts of at least two words in quotes: descriptions and messages. */
function stringsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(stringsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, value } = node as { type?: unknown; value?: unknown };
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string')
    return /\w \w/.test(value) ? [value] : [];
  if (type === 'TemplateElement') return stringsIn({ type: 'Literal', value: (value as { cooked?: string }).cooked });
  return Object.values(node).flatMap(stringsIn);
}

/** Values of a file of messages. */
const stringsInJson = (json: unknown): string[] =>
  typeof json === 'string' ? [json] : Object.values(json as object).flatMap(stringsInJson);

/** Titles in calls such as `it('…', …)`, `describe.each(…)('…', …)`. */
function titlesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, callee, arguments: given } = node as { type?: unknown; callee?: unknown; arguments?: unknown[] };
  const isTitled = type === 'CallExpression' && isTestFunction(callee) && !isRows(callee);
  const own = isTitled ? stringsIn(given?.[0]) : [];
  return [...own, ...Object.values(node).flatMap(titlesIn)];
}

function isTestFunction(node: unknown): boolean {
  const { name, object, callee } = node as { name?: unknown; object?: unknown; callee?: unknown };
  return name === 'it' || name === 'describe' || [object, callee].some((inner) => !!inner && isTestFunction(inner));
}

/** Whether a function takes the rows of a table of tests, as `it.each` does. */
const isRows = (node: unknown): boolean => (node as { property?: { name?: unknown } }).property?.name === 'each';

/** @param textsIn returns the texts of the program besides its comments */
function proseOf(source: string, textsIn: (node: unknown) => string[]): Prose[] {
  const { comments, program } = parseSync('source.tsx', source);
  return [
    ...commentsOf(source, comments).map((text) => ({ text, isComment: true })),
    ...textsIn(program).map((text) => ({ text, isComment: false })),
  ].map(({ text, isComment }) => ({ text: withoutNames(text), isComment }));
}

/** A text on one line, without names of code such as wire fields, which are no prose. */
const withoutNames = (text: string): string =>
  text
    .replace(/`[^`]*`|\S+\.(?:md|ts)\b/g, 'name')
    .replace(/\s+/g, ' ')
    .trim();

/** Paragraphs, items and rows of a page, without blocks of code and the targets of links. */
const paragraphsOf = (page: string): string[] =>
  page
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/^ {4}.*$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n|\n(?=[-|#]|\d+\. )/);

const ANYWHERE = [...GIVEN_UP, ...GIVEN_UP_FIRST].map(
  ([{ source, flags }]) => new RegExp(source.replace('^', ''), flags),
);

/** Whether a source may have findings; parsing the others would take most of the time of these tests. */
function isSuspicious(source: string): boolean {
  const text = source.replace(/\s+(?:(?:\*|\/\/)\s+)?/g, ' ');
  return ANYWHERE.some((pattern) => pattern.test(text));
}

const findingsIn = (source: string, textsIn = stringsIn): string[] =>
  (isSuspicious(source) ? proseOf(source, textsIn) : [])
    .filter(({ text, isComment }) =>
      [...GIVEN_UP, ...(isComment ? GIVEN_UP_FIRST : [])].some(([pattern]) => pattern.test(text)),
    )
    .map(({ text }) => text);

const findingsInTexts = (texts: readonly string[]): string[] =>
  texts.map(withoutNames).filter((text) => GIVEN_UP.some(([pattern]) => pattern.test(text)));

const filesLike = (patterns: string | readonly string[]): string[] =>
  globSync(patterns, { exclude: ['**/node_modules/**', 'test/generated/generated/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  );

/** Findings in files, each with its file. */
const findingsInFiles = (files: readonly string[], find: (text: string) => string[]): string[] =>
  files.flatMap((file) => find(readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`));

describe('the glossary', () => {
  it.each(SOURCES)('is followed by comments and descriptions in %s', (folder) => {
    const files = filesLike(`${folder}/**/*.{ts,tsx}`).filter((file) => !EXCEPT.test(file));
    expect(files).not.toEqual([]);
    expect(findingsInFiles(files, findingsIn)).toEqual([]);
  });

  it.each(TESTS)('is followed by comments and titles of tests in %s', (folder) => {
    const files = filesLike(`${folder}/**/*.ts`).filter((file) => folder === 'test' || file.endsWith('.test.ts'));
    expect(files).not.toEqual([]);
    expect(findingsInFiles(files, (source) => findingsIn(source, titlesIn))).toEqual([]);
  });

  it.each(PAGES)('is followed by %s', (pattern) => {
    const files = filesLike(pattern).filter((file) => file !== 'docs/glossary.md');
    expect(files).not.toEqual([]);
    expect(findingsInFiles(files, (page) => findingsInTexts(paragraphsOf(page)))).toEqual([]);
  });

  it.each(MESSAGES)('is followed by the messages of %s', (pattern) => {
    const files = filesLike(pattern);
    expect(files).not.toEqual([]);
    expect(findingsInFiles(files, (json) => findingsInTexts(stringsInJson(JSON.parse(json))))).toEqual([]);
  });

  it.each([...GIVEN_UP, ...GIVEN_UP_FIRST])('finds %s in a comment', (_pattern, sentence) => {
    const [first = '', ...rest] = sentence.split(' ');
    expect(findingsIn(`/** ${sentence} */\nconst one = 1;`)).toEqual([sentence]);
    expect(findingsIn(`/**\n * ${first}\n * ${rest.join(' ')}\n */\nconst one = 1;`)).toEqual([sentence]);
    expect(findingsIn(`// ${first}\n// ${rest.join(' ')}\nconst one = 1;`)).toEqual([sentence]);
  });

  it.each(GIVEN_UP)('finds %s in a description', (_pattern, sentence) => {
    expect(findingsIn(`const description = '${sentence}';`)).toEqual([sentence]);
    expect(findingsIn(`const description = \`${sentence}\`;`)).toEqual([sentence]);
    expect(findingsIn(`const screen = <p>${sentence}</p>;`)).toEqual([sentence]);
  });

  it.each(GIVEN_UP)('finds %s in a page of text and in a message', (_pattern, sentence) => {
    const page = `# Title\n\nA paragraph.\n\n- An item.\n- ${sentence.replace(' ', '\n  ')}\n\n    code\n`;
    expect(findingsInTexts(paragraphsOf(page))).toEqual([`- ${sentence}`]);
    expect(findingsInTexts(stringsInJson({ one: 'Text', many: { other: sentence } }))).toEqual([sentence]);
  });

  it.each([...GIVEN_UP])('finds %s in the title of a test', (_pattern, sentence) => {
    for (const call of ['it', 'it.each([1])', 'describe', 'describe.each(KINDS)'])
      expect(findingsIn(`${call}('${sentence}', () => use('the buyer is not a title'));`, titlesIn)).toEqual([
        sentence,
      ]);
  });

  it('leaves names of code, numbers and other sentences alone', () => {
    const source = [
      '/** The `purchaser` of an order, see docs/buyers.md. The total is over 10. */',
      "const name = 'buyer';",
      '/** Users who may edit; of the others, none. */',
      '/** Runs in the transaction of the caller. A dialog that has to be answered. */',
      '/** RSVP answer of an attendee; the answers to the questions. */',
    ].join('\n');
    expect(findingsIn(source)).toEqual([]);
  });
});
