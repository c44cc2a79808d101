import { csvOf, type Sheet } from './figures.ts';

/** Lets the browser keep a file. */
function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const saveCsv = (name: string, sheet: Sheet): void =>
  save(`${name}.csv`, new Blob([csvOf(sheet)], { type: 'text/csv;charset=utf-8' }));

/** The library is loaded only for this. */
export async function saveXlsx(name: string, sheet: Sheet): Promise<void> {
  const { default: write } = await import('write-excel-file/browser');
  const rows = sheet.map((row, index) =>
    row.map((value) => ({ value, ...(index === 0 && { fontWeight: 'bold' as const }) })),
  );
  save(`${name}.xlsx`, await write(rows).toBlob());
}
