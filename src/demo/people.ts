import { fold } from '../lib/text.ts';
import type { Chance } from './random.ts';

export interface Person {
  name: string;
  /** Under `.example`, which nobody can ever own. */
  email: string;
}

/** Names of one origin. A name in another script has its Latin spelling behind a bar, for the e-mail address. */
interface Origin {
  given: readonly [string, ...string[]];
  family: readonly [string, ...string[]];
  isFamilyFirst?: boolean;
}

const ACADIAN: Origin = {
  given: ['Marguerite', 'Zoé', 'Évangéline', 'Théodore', 'Rosaline', 'Hector', 'Anne-Sophie', 'Gérald'],
  family: ['LeBlanc', 'Cormier', 'Haché', 'Thibodeau', 'Arsenault', 'Bourgeois', 'Melanson', 'Doiron'],
};
const ENGLISH: Origin = {
  given: ['Harriet', 'Owen', 'Matilda', 'Callum', 'Beatrice', 'Duncan', 'Fiona', 'Rupert'],
  family: ['MacAllister', 'Steeves', 'Fairweather', 'O’Donnell', 'Trites', 'Pickering', 'Lutes', 'Ashdown'],
};

/** The two that the city has most of come more often. */
const ORIGINS: readonly [Origin, ...Origin[]] = [
  ACADIAN,
  ACADIAN,
  ACADIAN,
  ENGLISH,
  ENGLISH,
  ENGLISH,
  {
    given: ['Nitsa', 'Mali', 'Plawej', 'Tia’m'],
    family: ['Augustine', 'Sanipass', 'Levi', 'Knockwood'],
  },
  {
    given: ['Łucja', 'Bartłomiej', 'Agnieszka', 'Zdzisław'],
    family: ['Nowak', 'Żak', 'Kowalczyk', 'Gołąb'],
  },
  {
    given: ['Chinwe', 'Adébáyọ̀', 'Ngozi', 'Kwame', 'Fatoumata'],
    family: ['Okonkwo', 'Adeyemi', 'Mensah', 'Diallo', 'Traoré'],
  },
  {
    given: ['Priya', 'Arjun', 'Meera', 'Harpreet'],
    family: ['Raghunathan', 'Chatterjee', 'Gill', 'Deshpande'],
  },
  {
    given: ['Ximena', 'Íñigo', 'Valentina', 'Joaquín'],
    family: ['Nuñez Ibarra', 'Quiroga', 'de la Peña', 'Zúñiga'],
  },
  {
    given: ['Linh', 'Đức', 'Hạnh', 'Quân'],
    family: ['Nguyễn', 'Trần', 'Phạm', 'Đặng'],
    isFamilyFirst: true,
  },
  {
    given: ['美咲|misaki', '健太|kenta', '陽菜|hina', '悠斗|yuto'],
    family: ['高橋|takahashi', '山本|yamamoto', '小林|kobayashi'],
    isFamilyFirst: true,
  },
  {
    given: ['ليلى|layla', 'يوسف|youssef', 'مريم|maryam', 'طارق|tariq'],
    family: ['بن صالح|bensalah', 'الحداد|haddad', 'منصور|mansour'],
  },
  {
    given: ['Оксана|oksana', 'Тарас|taras', 'Соломія|solomiya'],
    family: ['Коваленко|kovalenko', 'Шевчук|shevchuk', 'Мельник|melnyk'],
  },
  {
    given: ['Sigríður', 'Bjørn', 'Åsa', 'Aino'],
    family: ['Haraldsen', 'Ødegård', 'Lindström', 'Väisänen'],
  },
];

const HOSTS = ['post.example', 'tides.example', 'mail.example', 'courriel.example', 'inbox.example'] as const;
/** Letters that do not come apart into a Latin one and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', đ: 'd', ø: 'o', ß: 'ss', æ: 'ae' };

const written = (name: string): string => name.split('|')[0] ?? '';
const latin = (name: string): string =>
  fold(name.split('|').at(-1) ?? '')
    .replace(/[łđøßæ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/[^a-z]+/g, '');

/** Somebody who does not exist. Two may have the same name, as in any city. */
export function person(random: Chance): Person {
  const { given, family, isFamilyFirst } = random.pick(ORIGINS);
  const [first, last] = [random.pick(given), random.pick(family)];
  const name = isFamilyFirst ? [written(last), written(first)] : [written(first), written(last)];
  return { name: name.join(' '), email: `${latin(first)}.${latin(last)}@${random.pick(HOSTS)}` };
}
