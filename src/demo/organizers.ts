import type { Translated } from './words.ts';

export interface OrganizerWords {
  organizer: string;
  description?: string;
}

/** A translation may leave out the name, which is then the same. */
export interface OrganizerSketch extends OrganizerWords, Translated<Partial<OrganizerWords>> {
  phone?: string;
  email?: string;
  website?: string;
}

/** Invented societies, with addresses that can never be anybody's. */
export const ORGANIZERS = {
  city: {
    organizer: 'City of Tides, Culture Desk',
    description: '<p>One desk, two people, a kettle and a very large calendar.</p>',
    fr: {
      organizer: 'Ville des Marées, bureau de la culture',
      description: '<p>Un bureau, deux personnes, une bouilloire et un très grand calendrier.</p>',
    },
    phone: '+1 506-555-0140',
    email: 'culture@tides.example',
    website: 'https://tides.example',
  },
  cineclub: {
    organizer: 'Ciné-club de la Petite Ourse',
    description: '<p>Depuis 1974, des films et des désaccords courtois.</p>',
    language: 'fr',
    en: { description: '<p>Since 1974: films, and courteous disagreement.</p>' },
    email: 'bonjour@petite-ourse.example',
    website: 'https://petite-ourse.example',
  },
  mic: { organizer: 'Brave Little Microphone', email: 'sign-up@brave-mic.example', phone: '+1 506-555-0142' },
  growers: {
    organizer: 'Coopérative des maraîchers',
    email: 'marche@maraichers.example',
    phone: '+1 506-555-0143',
    website: 'https://maraichers.example',
  },
  stories: { organizer: 'Once Upon a Saturday', email: 'hello@once-upon.example' },
  menders: {
    organizer: 'The Menders’ Guild',
    description: '<p>If it has screws, we have opinions.</p>',
    fr: { organizer: 'La Guilde des raccommodeurs', description: '<p>Si cela se visse, nous avons un avis.</p>' },
    email: 'guild@menders.example',
  },
  jazz: { organizer: 'Société du jazz tranquille', email: 'jazz@tranquille.example', phone: '+1 506-555-0146' },
  readers: { organizer: 'The Unfinished Book Club', email: 'page-40@unfinished.example' },
  stars: {
    organizer: 'Fundy Astronomical Society',
    description: '<p>Looking up since 1958, weather permitting. Weather rarely permits.</p>',
    fr: {
      organizer: 'Société d’astronomie de Fundy',
      description: '<p>Le nez en l’air depuis 1958, si le temps le permet. Il le permet rarement.</p>',
    },
    email: 'clouds@fundy-astro.example',
    website: 'https://fundy-astro.example',
  },
  clay: { organizer: 'Atelier Terre & Feu', email: 'atelier@terre-feu.example', phone: '+1 506-555-0149' },
  rowers: {
    organizer: 'Petitcodiac Rowing Club',
    phone: '+1 506-555-0111',
    website: 'https://rowing.example',
    fr: { organizer: 'Club d’aviron de Petitcodiac' },
  },
  museum: {
    organizer: 'Maison des Marées',
    email: 'musee@marees.example',
    phone: '+1 506-555-0103',
    website: 'https://marees.example',
  },
  choir: { organizer: 'Chœur des Voix Salées', email: 'choeur@voix-salees.example' },
  players: {
    organizer: 'The Low Tide Players',
    description: '<p>Community theatre with ambitions and one good cloak.</p>',
    fr: { description: '<p>Du théâtre amateur, avec de l’ambition et une seule belle cape.</p>' },
    email: 'box@low-tide.example',
    website: 'https://low-tide.example',
  },
  orchestra: { organizer: 'Symphonie du Mascaret', phone: '+1 506-555-0154', website: 'https://symphonie.example' },
  curators: { organizer: 'Collectif Trois Corneilles', email: 'salut@trois-corneilles.example' },
  runners: { organizer: 'Slow Runners Association', email: 'eventually@slow-runners.example' },
  coders: { organizer: 'Semicolon Society', email: 'null@semicolon.example', website: 'https://semicolon.example' },
  kitchen: { organizer: 'La Grande Tablée', email: 'cuisine@tablee.example', phone: '+1 506-555-0158' },
  friends: {
    organizer: 'أصدقاء الحكاية · 物語の友 · Friends of the Story',
    description: '<p>Story-tellers in five time zones who have never all been awake at once.</p>',
    fr: {
      description:
        '<p>Des conteurs de cinq fuseaux horaires, qui n’ont encore jamais été tous éveillés en même temps.</p>',
    },
    email: 'anywhere@friends-of-the-story.example',
  },
} as const satisfies Record<string, OrganizerSketch>;

export type OrganizerKey = keyof typeof ORGANIZERS;
