/** Builds the object of a row from its values, in the order of the columns. */
export type ReadRow = (values: readonly unknown[]) => object;

/**
 * Compiles the object literal for the rows of a statement. A loop over the names would take longer than SQLite takes to
 * read a row: all statements would share it, so that V8 could not know the shape of the objects.
 */
export const compileRow = (names: readonly string[]): ReadRow =>
  new Function('row', `return {${names.map((name, index) => `${JSON.stringify(name)}: row[${index}]`)}}`) as ReadRow;
