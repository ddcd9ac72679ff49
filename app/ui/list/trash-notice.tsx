/** Says, after the specified question that calls deleting final, for how long an item can be brought back. */
export function RestsUnderDeleted({ count }: { count: number }) {
  return <span className="mt-2 block text-sm">{count > 1 ? 'They rest' : 'It rests'} 30 days under Deleted.</span>;
}
