/**
 * Adds the period for restoring the item to the confirmation. The specified text of the confirmation calls the deletion
 * final.
 */
export function TrashNotice({ count }: { count: number }) {
  return (
    <span className="mt-2 block text-sm">
      {count > 1 ? 'They can be restored for' : 'It can be restored for'} 30 days under Deleted.
    </span>
  );
}
