/** What the doctor, the status and the list of backups answer with, as far as the page shows it. */
export interface DoctorFinding {
  level: "ok" | "warning" | "problem";
  message: string;
  next?: string;
  /** Names a page of /docs. */
  guide?: string;
}

export interface DoctorReport {
  ok: boolean;
  checks: Array<{
    id: string;
    title: string;
    level: DoctorFinding["level"];
    findings: DoctorFinding[];
    guide?: string;
  }>;
}

export interface StatusReport {
  version: string;
  home: string;
  disk: { freeBytes: number | null };
  sandbox: { wall?: string; name?: string };
}

export interface BackupEntry {
  name: string;
  type: "backup" | "partial" | "unreadable";
  sizeBytes?: number;
  manifest?: { createdAt: string };
}
