import { type ReviewedFields, reviewedFields } from '../../catalogue/projects/review-snapshot.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** A field that is not as it was approved: lines that went, lines that came. */
export interface FieldChange {
  field: string;
  removed: string[];
  added: string[];
}

/** Lines compared one by one; longer texts are compared from their first to their last change as a whole. */
const max_compared = 1_000_000;

const linesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  typeof value === 'string' ? value.split('\n') : (value ?? []);

/** What differs between what was approved and what there is now, in the order of the fields of `after`. */
export const changesBetween = (before: ReviewedFields, after: ReviewedFields): FieldChange[] =>
  Object.keys(after).flatMap((field) => {
    const change = changedLines(linesOf(before[field]), linesOf(after[field]));
    return change.removed.length + change.added.length > 0 ? [{ field, ...change }] : [];
  });

function changedLines(before: readonly string[], after: readonly string[]) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [end, end_after] = [before.length, after.length];
  while (end > start && end_after > start && before[end - 1] === after[end_after - 1]) {
    end--;
    end_after--;
  }
  const [old, now] = [before.slice(start, end), after.slice(start, end_after)];
  if (old.length * now.length > max_compared) return { removed: [...old], added: [...now] };
  return withoutCommon(old, now);
}

/** The longest common subsequence stays; the rest was removed or added. */
function withoutCommon(old: readonly string[], now: readonly string[]) {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const [removed, added]: [string[], string[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      i++;
      j++;
    } else if (
      j >= now.length ||
      (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      removed.push(old[i++]!);
    else added.push(now[j++]!);
  }
  return { removed, added };
}

/** What changed since moderators approved the project last, and when that was; null when it never was. */
export async function changesSinceApproval(
  db: Db,
  project_id: string,
): Promise<{ approved: Date; changes: FieldChange[] } | null> {
  const [snapshot] = await db<Array<{ fields: ReviewedFields; created: string }>>`
    select fields, created from review_snapshots where project_id = ${project_id}`;
  const now = snapshot && (await reviewedFields(db, project_id));
  return now ? { approved: new Date(snapshot.created), changes: changesBetween(snapshot.fields, now) } : null;
}
