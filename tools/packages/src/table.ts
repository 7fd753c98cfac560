/** Lines of a table whose columns are as wide as they have to be; all but the first stand to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) => {
      const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)));
      return cells.join('  ');
    })
    .join('\n');
}
