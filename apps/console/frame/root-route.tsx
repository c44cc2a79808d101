import { createRootRoute } from '@tanstack/react-router';
import { Gate } from './gate.tsx';
import { NotFound, ScreenFailure } from './screen-failure.tsx';

export const rootRoute = createRootRoute({
  component: Gate,
  errorComponent: ScreenFailure,
  notFoundComponent: NotFound,
});
