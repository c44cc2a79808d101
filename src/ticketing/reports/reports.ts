import type { AnyEndpoint } from '../../http/core/endpoint.ts';
import { attendanceEndpoint } from './attendance.ts';
import { overviewEndpoint } from './overview.ts';
import { salesEndpoint } from './sales.ts';

/** Reports for organizers. */
export const reportEndpoints: AnyEndpoint[] = [salesEndpoint, attendanceEndpoint, overviewEndpoint];
