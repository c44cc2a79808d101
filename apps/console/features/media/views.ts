/** Which pictures the library shows. */
export const MEDIA_VIEWS = ['all', 'unused', 'without_alt'] as const;
export type MediaView = (typeof MEDIA_VIEWS)[number];
