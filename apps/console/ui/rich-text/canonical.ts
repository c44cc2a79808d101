/** HTML as the body of a document of its own, which loads nothing and runs nothing. */
export const elementsOf = (html: string): HTMLElement =>
  new DOMParser().parseFromString(`<!doctype html><body>${html}`, 'text/html').body;

/**
 * Canonical form of HTML: two texts have the same form if they have the same content. It ignores only invisible
 * differences: collapsed white space, the order of attributes and of nested marks, the spelling of entities and empty
 * elements, a single line with or without a paragraph, and `<b>` for `<strong>`.
 */
export const canonical = (html: string): string => JSON.stringify(blocksOf(elementsOf(html), []));

/** Attributes by name, each as `name=value`. */
type Attributes = readonly string[];
type Run = readonly [marks: readonly string[], text: string];
type Block = readonly [tag: string, attributes: Attributes, content: readonly (Block | Run)[]];

const INLINE = new Set(
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q s samp small span strong sub sup time u var wbr'.split(
    ' ',
  ),
);
const VOID: ReadonlySet<string> = new Set(['br', 'img', 'wbr']);
/** Blocks that contain text without paragraphs. */
const OF_TEXT: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre']);
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };

const SPACES = /[ \t\n\r\f]+/g;

function attributesOf(element: Element): Attributes {
  return [...element.attributes].map(({ name, value }) => `${name}=${value}`).sort();
}

const nameOf = (element: Element): string => SAME[element.localName] ?? element.localName;

/** The blocks of an element; text beside them is in paragraphs. */
function blocksOf(element: Element, marks: readonly string[]): readonly (Block | Run)[] {
  const isOfText = OF_TEXT.has(element.localName);
  const blocks: (Block | Run)[] = [];
  let line: Run[] = [];
  const endLine = () => {
    const runs = element.localName === 'pre' ? line : trimmed(line);
    line = [];
    if (isOfText) blocks.push(...runs);
    else if (runs.length > 0) blocks.push(['p', [], runs]);
  };
  const read = (parent: Node, around: readonly string[]) => {
    for (const node of parent.childNodes) {
      if (!(node instanceof Element))
        line.push([around, node instanceof Text ? node.data : `<!--${node.nodeValue}-->`]);
      else if (!INLINE.has(node.localName)) {
        endLine();
        blocks.push([nameOf(node), attributesOf(node), blocksOf(node, around)]);
      } else readInline(node, around);
    }
  };
  const readInline = (node: Element, around: readonly string[]) => {
    const mark = JSON.stringify([nameOf(node), ...attributesOf(node)]);
    // An empty element with attributes may be an anchor or an icon.
    if (VOID.has(node.localName) || (node.childNodes.length === 0 && node.attributes.length > 0))
      line.push([[...around, mark], VOID_TEXT]);
    else read(node, [...new Set([...around, mark])].sort());
  };
  read(element, marks);
  endLine();
  return blocks;
}

/** Placeholder for an element without text; texts cannot contain it. */
const VOID_TEXT = '\0';
const BREAK = JSON.stringify(['br']);

const isBreak = ([marks, text]: Run): boolean => text === VOID_TEXT && marks.at(-1) === BREAK;

/** A line as browsers show it: white space collapsed, and none at its ends or around line breaks. */
function trimmed(line: readonly Run[]): Run[] {
  const runs: Run[] = [];
  const dropSpace = () => {
    const last = runs.at(-1);
    if (!last?.[1].endsWith(' ')) return;
    runs.pop();
    if (last[1] !== ' ') runs.push([last[0], last[1].slice(0, -1)]);
  };
  for (const run of line) {
    const last = runs.at(-1);
    if (isBreak(run)) {
      dropSpace();
      // Marks around a line break are not seen.
      runs.push([[BREAK], VOID_TEXT]);
      continue;
    }
    const isAfterSpace = !last || isBreak(last) || last[1].endsWith(' ');
    const text = run[1].replace(SPACES, ' ').slice(isAfterSpace && /^[ \t\n\r\f]/.test(run[1]) ? 1 : 0);
    if (text === '') continue;
    if (last && text !== VOID_TEXT && last[1] !== VOID_TEXT && last[0].join() === run[0].join()) {
      runs.pop();
      runs.push([last[0], last[1] + text]);
    } else runs.push([run[0], text]);
  }
  dropSpace();
  return runs;
}
