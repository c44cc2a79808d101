import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

/**
 * Reads QR codes in pictures of the camera, in a thread of its own: with the browser's own detector where there is one,
 * otherwise with zxing as wasm from our own server. Gets an `ImageData`, and answers the text or null.
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
  const { BarcodeDetector } = self as unknown as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : undefined;
}

let detector = findDetector();

async function textIn(picture: ImageData): Promise<string | undefined> {
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
  const [code] = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: 1, tryHarder: true });
  return code?.isValid ? code.text : undefined;
}

self.addEventListener('message', ({ data }: MessageEvent<ImageData>) => {
  textIn(data).then(
    (text) => self.postMessage({ text: text ?? null }),
    (error) => self.postMessage({ text: null, problem: String(error) }),
  );
});
