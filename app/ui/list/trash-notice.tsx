/**
 * Supplements the confirmation, whose specified text calls the deletion final, with the period for restoring the item.
 */
export function TrashNotice({ count }: { count: number }) {
  return (
    <span className="mt-2 block text-sm">
      {count > 1 ? 'They can be restored for' : 'It can be restored for'} 30 days under Deleted.
    </span>
  );
}
