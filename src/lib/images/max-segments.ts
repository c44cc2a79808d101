/**
 * Maximum number of segments, chunks or blocks of an image file. Even the largest images have a few thousand; a file
 * with more is malicious.
 */
export const MAX_SEGMENTS = 50_000;

/**
 * EXIF data that holds only the orientation: a big-endian TIFF header, one entry (tag 0x0112, one short), and no
 * further directory.
 * @param orientation 1 to 8, as EXIF counts
 */
export function exifOrientation(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('MM\0*', 0, 'latin1');
  exif.writeUInt32BE(8, 4);
  exif.writeUInt16BE(1, 8);
  exif.writeUInt16BE(0x0112, 10);
  exif.writeUInt16BE(3, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
