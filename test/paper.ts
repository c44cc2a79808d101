import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import createQpdf from '@neslinesli93/qpdf-wasm';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** Reads documents as others do: their text, the codes of a printed page, and whether the file is sound. */

interface PaperPage {
  text: string;
  /** Width and height in points. */
  size: [number, number];
  /** Content of the code on the page, as printed with 150 dots per inch; undefined without one. */
  code(): Promise<string | undefined>;
}

const DOTS = 150;

const fileOf = (name: string): string => createRequire(import.meta.url).resolve(name);

prepareZXingModule({
  overrides: { wasmBinary: new Uint8Array(readFileSync(fileOf('zxing-wasm/reader/zxing_reader.wasm'))).buffer },
});

/** Loaded once. */
const pdfium = PDFiumLibrary.init();

/** The pages of a document. */
export async function readPaper(bytes: Uint8Array): Promise<PaperPage[]> {
  const library = await pdfium;
  const document = await library.loadDocument(bytes);
  const pages = [...document.pages()].map((page, index) => {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    return {
      text: page.getText(),
      size: [originalWidth, originalHeight] as [number, number],
      code: () => readCode(bytes, index),
    };
  });
  document.destroy();
  return pages;
}

async function readCode(bytes: Uint8Array, index: number): Promise<string | undefined> {
  const document = await (await pdfium).loadDocument(bytes);
  const drawn = await document.getPage(index).render({ scale: DOTS / 72, render: 'bitmap' });
  document.destroy();
  return readQrCode(drawn);
}

/** Content of the QR code in a picture of four bytes a pixel; undefined without one. */
export async function readQrCode(picture: {
  data: Uint8Array;
  width: number;
  height: number;
}): Promise<string | undefined> {
  const { width, height } = picture;
  const pixels = { data: new Uint8ClampedArray(picture.data), width, height };
  // Node has no class of pictures.
  const [code] = await readBarcodes(pixels as Parameters<typeof readBarcodes>[0], {
    formats: ['QRCode'],
    maxNumberOfSymbols: 1,
  });
  return code?.text;
}

/** Complaints of `qpdf --check`; empty for a sound file. */
export async function faultsOf(bytes: Uint8Array): Promise<string[]> {
  const said: string[] = [];
  const { log, error } = console;
  // The program has no other output.
  console.log = console.error = (line: unknown) => said.push(String(line));
  try {
    const wasm = fileOf('@neslinesli93/qpdf-wasm/dist/qpdf.wasm');
    const qpdf = await createQpdf({ locateFile: () => wasm });
    // The types of the package lack it.
    const files = qpdf.FS as typeof qpdf.FS & { writeFile(path: string, content: Uint8Array): void };
    files.writeFile('/paper.pdf', bytes);
    const code = qpdf.callMain(['--check', '/paper.pdf']);
    return code === 0 ? [] : [`exit ${code}`, ...said];
  } finally {
    Object.assign(console, { log, error });
  }
}
