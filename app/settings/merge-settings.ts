import { type Merge, type MergePath, mergeThreeWay } from '../ui/lib/three-way-merge.ts';

/** Merges a setting's value. JSON objects are merged by key, and other values as one text. */
export function mergeSettings(
  base: string,
  mine: string,
  theirs: string,
  selectsTheirs?: (path: MergePath) => boolean,
): Merge<string> {
  const [baseObject, mineObject, theirsObject] = [base, mine, theirs].map(parseObject);
  if (!mineObject || !theirsObject) return mergeThreeWay(base, mine, theirs, selectsTheirs);
  const merge = mergeThreeWay(baseObject ?? {}, mineObject, theirsObject, selectsTheirs);
  return { ...merge, value: JSON.stringify(merge.value, null, 2) };
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
