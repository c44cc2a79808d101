/** Name -> name of the category above it (empty for the top) and description; parents come first. */
export const CATEGORIES = {
  Music: { above: '', about: 'From string quartets to a man with a saw.' },
  Concerts: { above: 'Music', about: '' },
  Jazz: { above: 'Concerts', about: 'Mostly quiet, sometimes blue.' },
  Classical: { above: 'Concerts', about: '' },
  Folk: { above: 'Concerts', about: 'Fiddles, spoons, and what your uncle plays.' },
  'Open stage': { above: 'Music', about: '' },
  Stage: { above: '', about: 'Theatre, dance and everything with a curtain.' },
  Théâtre: { above: 'Stage', about: '' },
  Comedy: { above: 'Stage', about: 'Laughter is likely but not guaranteed.' },
  Danse: { above: 'Stage', about: '' },
  Cinéma: { above: '', about: 'Films, en version originale sous-titrée.' },
  Exhibitions: { above: '', about: '' },
  Photography: { above: 'Exhibitions', about: '' },
  'Arts visuels': { above: 'Exhibitions', about: 'Peinture, sculpture, et une installation qui fait du bruit.' },
  Learning: { above: '', about: 'Talks, courses and workshops.' },
  Workshops: { above: 'Learning', about: '' },
  'Talks & lectures': { above: 'Learning', about: '' },
  Families: { above: '', about: 'Children welcome, and their grown-ups tolerated.' },
  'Food & markets': { above: '', about: '' },
  Outdoors: { above: '', about: 'Under the sky, whatever it does.' },
  'Sport & play': { above: 'Outdoors', about: '' },
  Festivals: { above: '', about: 'Several days, several stages, one pair of shoes.' },
} as const satisfies Record<string, { above: string; about: string }>;

export type CategoryName = keyof typeof CATEGORIES;

/** Tags that get a description; the others are created with the first event that names them. */
export const DESCRIBED_TAGS = {
  bilingue: 'En français et en anglais, parfois dans la même phrase.',
  accessible: 'Step-free entrance and reserved places.',
  streamed: 'Also, or only, on the net.',
  'bring-a-jumper': 'The venue has character instead of heating.',
} as const;
