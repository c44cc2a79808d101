import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

/**
 * Reads QR codes in pictures of the camera, in a thread of its own: with the browser's own detector where there is one,
 * otherwise with zxing as wasm from our own server. Gets a picture, and answers the
 * text in its middle or null.
 */

interface Detector {
  detect(picture: ImageData): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** The detector of the browser; undefined if it has none, or none for QR codes. */
async function findDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = self as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : undefined;
}

let detector = findDetector();

/** Side, in pixels, of the square that is searched for codes: larger ones take too long on slow phones. */
const SIDE = 640;

let canvas: OffscreenCanvas | undefined;

/** The middle square of a picture. */
function middleOf(picture: VideoFrame | ImageBitmap): ImageData {
  const [width, height] =
    picture instanceof ImageBitmap ? [picture.width, picture.height] : [picture.displayWidth, picture.displayHeight];
  const side = Math.min(width, height);
  const size = Math.min(side, SIDE);
  if (canvas?.width !== size) canvas = new OffscreenCanvas(size, size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, size, size);
  return context.getImageData(0, 0, size, size);
}

async function textIn(picture: VideoFrame | ImageBitmap): Promise<string | undefined> {
  const middle = middleOf(picture);
  picture.close();
  const own = await detector;
  if (own) {
    try {
      return (await own.detect(middle))[0]?.rawValue;
    } catch {
      // Some platforms list a detector that does not work.
      detector = Promise.resolve(undefined);
    }
  }
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  const [code] = await readBarcodes(middle, { formats: ['QRCode'], maxNumberOfSymbols: 1, tryHarder: true });
  return code?.isValid ? code.text : undefined;
}

self.addEventListener('message', ({ data }: MessageEvent<VideoFrame | ImageBitmap>) => {
  textIn(data).then(
    (text) => self.postMessage({ text: text ?? null }),
    (error) => self.postMessage({ text: null, problem: String(error) }),
  );
});
