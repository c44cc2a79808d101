import type { Translated } from './words.ts';

export interface TermWords {
  name: string;
  about?: string;
}

export interface CategorySketch extends Translated<TermWords> {
  /** Name of the category above it; empty for the top. */
  above: string;
  about: string;
}

/** By name; parents come first. */
export const CATEGORIES = {
  Music: {
    above: '',
    about: 'From string quartets to a man with a saw.',
    fr: { name: 'Musique', about: 'Du quatuor à cordes à l’homme à la scie.' },
  },
  Concerts: { above: 'Music', about: '', fr: { name: 'Concerts' } },
  Jazz: {
    above: 'Concerts',
    about: 'Mostly quiet, sometimes blue.',
    fr: { name: 'Jazz', about: 'Plutôt calme, parfois bleu.' },
  },
  Classical: { above: 'Concerts', about: '', fr: { name: 'Classique' } },
  Folk: {
    above: 'Concerts',
    about: 'Fiddles, spoons, and what your uncle plays.',
    fr: { name: 'Musique traditionnelle', about: 'Des violons, des cuillères, et ce que joue votre oncle.' },
  },
  'Open stage': { above: 'Music', about: '', fr: { name: 'Scène ouverte' } },
  Stage: {
    above: '',
    about: 'Theatre, dance and everything with a curtain.',
    fr: { name: 'Arts de la scène', about: 'Le théâtre, la danse et tout ce qui a un rideau.' },
  },
  Théâtre: { above: 'Stage', about: '', language: 'fr', en: { name: 'Theatre' } },
  Comedy: {
    above: 'Stage',
    about: 'Laughter is likely but not guaranteed.',
    fr: { name: 'Humour', about: 'Le rire est probable, mais non garanti.' },
  },
  Danse: { above: 'Stage', about: '', language: 'fr', en: { name: 'Dance' } },
  Cinéma: {
    above: '',
    about: 'Des films, en version originale sous-titrée.',
    language: 'fr',
    en: { name: 'Cinema', about: 'Films, in the original language, with subtitles.' },
  },
  Exhibitions: { above: '', about: '', fr: { name: 'Expositions' } },
  Photography: { above: 'Exhibitions', about: '', fr: { name: 'Photographie' } },
  'Arts visuels': {
    above: 'Exhibitions',
    about: 'Peinture, sculpture, et une installation qui fait du bruit.',
    language: 'fr',
    en: { name: 'Visual arts', about: 'Painting, sculpture, and an installation that makes a noise.' },
  },
  Learning: {
    above: '',
    about: 'Talks, courses and workshops.',
    fr: { name: 'Apprendre', about: 'Des causeries, des cours et des ateliers.' },
  },
  Workshops: { above: 'Learning', about: '', fr: { name: 'Ateliers' } },
  'Talks & lectures': { above: 'Learning', about: '', fr: { name: 'Causeries et conférences' } },
  Families: {
    above: '',
    about: 'Children welcome, and their grown-ups tolerated.',
    fr: { name: 'En famille', about: 'Les enfants sont bienvenus, et leurs grands tolérés.' },
  },
  'Food & markets': { above: '', about: '', fr: { name: 'Cuisine et marchés' } },
  Outdoors: {
    above: '',
    about: 'Under the sky, whatever it does.',
    fr: { name: 'Plein air', about: 'Sous le ciel, quoi qu’il fasse.' },
  },
  'Sport & play': { above: 'Outdoors', about: '', fr: { name: 'Sports et jeux' } },
  Festivals: {
    above: '',
    about: 'Several days, several stages, one pair of shoes.',
    fr: { name: 'Festivals', about: 'Plusieurs jours, plusieurs scènes, une seule paire de souliers.' },
  },
} as const satisfies Record<string, CategorySketch>;

export type CategoryName = keyof typeof CATEGORIES;

export interface TagSketch extends Translated<TermWords> {
  about?: string;
}

/** By name. Those that are the same word in both languages have no translation. */
export const TAGS = {
  '35 mm': {},
  accessible: {
    about: 'Step-free entrance and reserved places.',
    fr: { name: 'accessible', about: 'Entrée de plain-pied et places réservées.' },
  },
  architecture: {},
  astronomy: { fr: { name: 'astronomie' } },
  beginners: { fr: { name: 'débutants' } },
  bilingue: {
    about: 'En français et en anglais, parfois dans la même phrase.',
    language: 'fr',
    en: { name: 'bilingual', about: 'In French and in English, sometimes in the same sentence.' },
  },
  birds: { fr: { name: 'oiseaux' } },
  books: { fr: { name: 'livres' } },
  'bring-a-jumper': {
    about: 'The venue has character instead of heating.',
    fr: { name: 'petite laine', about: 'À défaut de chauffage, le lieu a du caractère.' },
  },
  charity: { fr: { name: 'bonne cause' } },
  children: { fr: { name: 'enfants' } },
  choir: { fr: { name: 'chœur' } },
  classique: { language: 'fr', en: { name: 'classic' } },
  code: {},
  contest: { fr: { name: 'concours' } },
  cooking: { fr: { name: 'cuisine' } },
  course: { fr: { name: 'cours' } },
  dancing: { fr: { name: 'danse' } },
  discussion: {},
  drawing: { fr: { name: 'dessin' } },
  écriture: { language: 'fr', en: { name: 'writing' } },
  fringe: {},
  garden: { fr: { name: 'jardin' } },
  guest: { fr: { name: 'en tournée' } },
  'hands-on': { fr: { name: 'mains à la pâte' } },
  history: { fr: { name: 'histoire' } },
  improv: { fr: { name: 'impro' } },
  indoors: { fr: { name: 'à l’intérieur' } },
  'join in': { fr: { name: 'participatif' } },
  late: { fr: { name: 'tard le soir' } },
  'live music': { fr: { name: 'musique sur scène' } },
  local: {},
  marionnettes: { language: 'fr', en: { name: 'puppets' } },
  members: { fr: { name: 'membres' } },
  Molière: {},
  odd: { fr: { name: 'insolite' } },
  'open data': { fr: { name: 'données ouvertes' } },
  'open mic': { fr: { name: 'micro ouvert' } },
  outdoors: { fr: { name: 'en plein air' } },
  'over 18': { fr: { name: '18 ans et plus' } },
  papier: { language: 'fr', en: { name: 'paper' } },
  peinture: { language: 'fr', en: { name: 'painting' } },
  photography: { fr: { name: 'photographie' } },
  poetry: { fr: { name: 'poésie' } },
  portraits: {},
  premiere: { fr: { name: 'première' } },
  repair: { fr: { name: 'réparation' } },
  river: { fr: { name: 'rivière' } },
  running: { fr: { name: 'course à pied' } },
  science: { fr: { name: 'sciences' } },
  Shakespeare: {},
  'sign up at the door': { fr: { name: 'inscription sur place' } },
  'sign up first': { fr: { name: 'sur inscription' } },
  silence: {},
  storytelling: { fr: { name: 'conte' } },
  streamed: {
    about: 'Also, or only, on the net.',
    fr: { name: 'en ligne', about: 'Aussi sur Internet, ou seulement là.' },
  },
  tradition: {},
  vernissage: {},
  vinyl: { fr: { name: 'vinyle' } },
  'VO sous-titrée': { language: 'fr', en: { name: 'subtitled' } },
  walking: { fr: { name: 'marche' } },
  winter: { fr: { name: 'hiver' } },
  'zero waste': { fr: { name: 'zéro déchet' } },
} as const satisfies Record<string, TagSketch>;

export type TagName = keyof typeof TAGS;
