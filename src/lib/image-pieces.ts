/**
 * Segments, chunks or blocks of an image file that are looked at. A file with more is a trap for its reader, not a
 * picture: the largest ones have a few thousand.
 */
export const MAX_PIECES = 50_000;
