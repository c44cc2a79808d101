import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { attendanceEndpoint } from './attendance.ts';
import { moneyEndpoint } from './money.ts';
import { moneyExportEndpoint } from './money-export.ts';
import { overviewEndpoint } from './overview.ts';
import { salesEndpoint } from './sales.ts';

/** Reports for organizers. */
export const reportEndpoints: AnyEndpoint[] = [
  salesEndpoint,
  attendanceEndpoint,
  moneyEndpoint,
  overviewEndpoint,
  moneyExportEndpoint,
];
