/**
 * Maximum number of segments, chunks or blocks of an image file. Even the largest pictures have a few thousand; a file
 * with more is malicious.
 */
export const MAX_PIECES = 50_000;
