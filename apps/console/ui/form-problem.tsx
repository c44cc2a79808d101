import { describe } from './states.tsx';

/** Says above the fields of a form why it could not be sent. */
export function FormProblem({ error }: { error: unknown }) {
  return (
    <p className="form-problem" role="alert">
      {describe(error)}
    </p>
  );
}
