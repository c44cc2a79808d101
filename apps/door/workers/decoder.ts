import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

/**
 * Reads QR codes in pictures of the camera, in a thread of its own: with the browser's own detector where there is one,
 * otherwise with zxing as wasm from our own server. Gets an `ImageBitmap`, and answers the text or null.
 */

interface Detector {
  detect(picture: ImageBitmap): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** The detector of the browser; undefined if it has none, or none for QR codes. */
async function findDetector(): Promise<Detector | undefined> {
  const { BarcodeDetector } = self as unknown as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : undefined;
}

let detector = findDetector();

let canvas: OffscreenCanvas | undefined;

function pixelsOf(picture: ImageBitmap): ImageData {
  const { width, height } = picture;
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height);
}

async function textIn(picture: ImageBitmap): Promise<string | undefined> {
  const own = await detector;
  if (own) {
    try {
      return (await own.detect(picture))[0]?.rawValue;
    } catch {
      // Some platforms list a detector that does not work.
      detector = Promise.resolve(undefined);
    }
  }
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  const [code] = await readBarcodes(pixelsOf(picture), { formats: ['QRCode'], maxNumberOfSymbols: 1, tryHarder: true });
  return code?.isValid ? code.text : undefined;
}

self.addEventListener('message', ({ data }: MessageEvent<ImageBitmap>) => {
  const found = textIn(data).finally(() => data.close());
  found.then(
    (text) => self.postMessage({ text: text ?? null }),
    (error) => self.postMessage({ text: null, problem: String(error) }),
  );
});
