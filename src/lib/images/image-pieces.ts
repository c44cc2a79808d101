/**
 * Maximum number of segments, chunks or blocks of an image file. Even the largest images have a few thousand; a file
 * with more is malicious.
 */
export const MAX_PIECES = 50_000;
