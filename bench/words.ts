import { chanceOf, type RandomSource, zipf } from './random.ts';

/** The most frequent words, most frequent first; what follows them is made of syllables. */
const FREQUENT =
  'the and with music open free evening for live festival family workshop night summer city concert art community ' +
  'winter market jazz garden theatre young dance guided tour children reading food house club spring river school';

const ONSETS = 'b c d f g h k l m n p r s t v w br ch cl dr fl gr pl pr sh st th tr'.split(' ');
const VOWELS = 'a e i o u ai ea ou'.split(' ');
const CODAS = ['', 'l', 'n', 'r', 's', 't', 'nd', 'rn', 'st'];

const COUNT = 20_000;

function vocabulary(): readonly string[] {
  const chance = chanceOf(7);
  const words = new Set(FREQUENT.split(' '));
  while (words.size < COUNT) {
    const syllables = Array.from({ length: 2 + chance.below(2) }, () =>
      [ONSETS, VOWELS, CODAS].map((parts) => chance.pick(parts)).join(''),
    );
    words.add(syllables.join(''));
  }
  return [...words];
}

/** Words by falling frequency: the first is in most texts, the last in about one text of a thousand. */
export const WORDS = vocabulary();

const rank = zipf(COUNT);

const some = (chance: RandomSource, count: number): string =>
  Array.from({ length: count }, () => WORDS[rank(chance)]).join(' ');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Three to seven words. */
export const title = (chance: RandomSource): string => capitalized(some(chance, 3 + chance.below(5)));

const sentence = (chance: RandomSource): string => `${capitalized(some(chance, 6 + chance.below(10)))}.`;

/** A text with markup, and what is left of it without. */
interface MarkedText {
  html: string;
  text: string;
}

/** One to three paragraphs, 400 characters on average. */
export function description(chance: RandomSource): MarkedText {
  const paragraphs = Array.from({ length: 1 + chance.below(3) }, () =>
    Array.from({ length: 1 + chance.below(5) }, () => sentence(chance)).join(' '),
  );
  return { html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'), text: paragraphs.join(' ') };
}

/** One sentence for every third event. */
export const excerpt = (chance: RandomSource): string => (chance.is(0.3) ? sentence(chance) : '');
