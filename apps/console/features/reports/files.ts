import { saveFile, spreadsheetOf } from '../../shared/export/save-file.ts';
import { csvOf, type Sheet } from './figures.ts';

export const saveCsv = (name: string, sheet: Sheet): void =>
  saveFile(`${name}.csv`, new Blob([csvOf(sheet)], { type: 'text/csv;charset=utf-8' }));

export const saveXlsx = async (name: string, sheet: Sheet): Promise<void> =>
  saveFile(`${name}.xlsx`, await spreadsheetOf(sheet));
