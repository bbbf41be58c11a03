/**
 * The head of an audit log tells where its chain goes on. One that is lost, or older than the last row, is made anew of that row; without its
 * seal the log says that it is in doubt.
 */
export const mendAuditHeads: readonly string[] = [
  `DELETE FROM audit_heads WHERE seq < (SELECT max(seq) FROM audit_logs WHERE audit_logs.tenant_id = audit_heads.tenant_id)`,
  `INSERT OR IGNORE INTO audit_heads (tenant_id, seq, digest, row_count, pruned_seq, pruned_digest, suspect_seq, anchored_seq, mac)
    SELECT tenant_id, seq, digest, (SELECT count(*) FROM audit_logs AS every WHERE every.tenant_id = last.tenant_id), 0, '', seq, 0, ''
    FROM audit_logs AS last WHERE seq = (SELECT max(seq) FROM audit_logs AS every WHERE every.tenant_id = last.tenant_id)`,
];
