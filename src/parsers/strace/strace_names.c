/* SPDX-License-Identifier: MIT */
/*
 * The calls of Linux by the names that strace gives them, and what those that
 * name files, descriptors, processes or memory are about. A line in a log of
 * many tools counts as one of strace's only when its call is known here.
 */
#include "parsers/strace/strace_line.h"

#include <string.h>

/* Sorted; behind "=" the letter of a shape. In two halves, since C promises no longer strings. */
static const char names_to_m[] =
	"_exit=q _llseek=f _newselect _sysctl accept=y accept4=y access=p acct=p add_key "
	"adjtimex afs_syscall alarm arch_prctl arm_fadvise64_64 bdflush bind=b bpf break "
	"breakpoint brk=B cacheflush cachestat capget capset chdir=p chmod=p chown=p chown32=p "
	"chroot=p clock_adjtime clock_adjtime64 clock_getres clock_getres_time64 clock_gettime "
	"clock_gettime64 clock_nanosleep clock_nanosleep_time64 clock_settime clock_settime64 "
	"clone=k clone2=k clone3=k close=x close_range=X connect=o copy_file_range=i creat=c "
	"create_module delete_module dup=d dup2=D dup3=D epoll_create=n epoll_create1=n "
	"epoll_ctl=f epoll_ctl_old epoll_pwait=f epoll_pwait2=f epoll_wait=f epoll_wait_old "
	"eventfd=n eventfd2=n execve=e execveat=E exit=q exit_group=q faccessat=a faccessat2=a "
	"fadvise64=f fadvise64_64=f fallocate=f fanotify_init=n fanotify_mark fchdir=f "
	"fchmod=f fchmodat=a fchmodat2=a fchown=f fchown32=f fchownat=a fcntl=F fcntl64=F "
	"fdatasync=f fgetxattr=f file_getattr file_setattr finit_module=f flistxattr=f flock=f "
	"fork=k fremovexattr=f fsconfig=f fsetxattr=f fsmount=f fsopen=n fspick=a fstat=f "
	"fstat64=f fstatat fstatat64=a fstatfs=f fstatfs64=f fsync=f ftime ftruncate=f "
	"ftruncate64=f futex futex_requeue futex_time64 futex_wait futex_waitv futex_wake "
	"futimesat=a get_kernel_syms get_mempolicy get_robust_list get_thread_area get_tls "
	"getcpu getcwd getdents=f getdents64=f getegid getegid32 geteuid geteuid32 getgid "
	"getgid32 getgroups getgroups32 getitimer getpagesize getpeername=f getpgid getpgrp "
	"getpid=g getpmsg getppid getpriority getrandom getresgid getresgid32 getresuid "
	"getresuid32 getrlimit getrusage getsid getsockname=f getsockopt=f gettid=G "
	"gettimeofday getuid getuid32 getxattr=p getxattrat=a gtty idle init_module "
	"inotify_add_watch=P inotify_init=n inotify_init1=n inotify_rm_watch=f io_cancel "
	"io_destroy io_getevents io_pgetevents io_pgetevents_time64 io_setup io_submit "
	"io_uring_enter=f io_uring_register=f io_uring_setup=n ioctl=f ioperm iopl ioprio_get "
	"ioprio_set ipc kcmp kexec_file_load kexec_load keyctl kill landlock_add_rule "
	"landlock_create_ruleset=n landlock_restrict_self lchown=p lchown32=p lgetxattr=p "
	"link=p linkat=a listen=f listmount listxattr=p listxattrat=a llistxattr=p llseek lock "
	"lookup_dcookie lremovexattr=p lseek=f lsetxattr=p lsm_get_self_attr lsm_list_modules "
	"lsm_set_self_attr lstat=p lstat64=p madvise map_shadow_stack mbind membarrier "
	"memfd_create=m memfd_secret=n migrate_pages mincore mkdir=p mkdirat=a mknod=p "
	"mknodat=a mlock mlock2 mlockall mmap=M mmap2=M modify_ldt mount=P mount_setattr=a "
	"move_mount=a move_pages mprotect mpx mq_getsetattr mq_notify mq_open mq_timedreceive "
	"mq_timedreceive_time64 mq_timedsend mq_timedsend_time64 mq_unlink mremap=R mseal "
	"msgctl msgget msgrcv msgsnd msync munlock munlockall munmap=U ";
static const char names_from_n[] =
	"name_to_handle_at=a nanosleep newfstat newfstatat=a newlstat newstat nfsservctl nice "
	"old_mmap=M old_select oldfstat oldlstat=p oldolduname oldselect oldstat=p olduname "
	"open=c open_by_handle_at=n open_tree=a open_tree_attr openat=C openat2=C pause "
	"perf_event_open=n personality pidfd_getfd=n pidfd_open=n pidfd_send_signal=f pipe=2 "
	"pipe2=2 pivot_root=p pkey_alloc pkey_free pkey_mprotect poll ppoll ppoll_time64 prctl "
	"pread=i pread64=i preadv=i preadv2=i prlimit64 process_madvise process_mrelease "
	"process_vm_readv process_vm_writev prof profil pselect6 pselect6_time64 ptrace "
	"putpmsg pwrite=i pwrite64=i pwritev=i pwritev2=i query_module quotactl quotactl_fd=f "
	"read=i readahead=f readdir readlink=p readlinkat=a readv=i reboot recv=i recvfrom=i "
	"recvmmsg=f recvmmsg_time64=f recvmsg=i remap_file_pages removexattr=p removexattrat=a "
	"rename=p renameat=a renameat2=a request_key restart_syscall riscv_flush_icache "
	"riscv_hwprobe rmdir=p rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo "
	"rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_sigtimedwait_time64 rt_tgsigqueueinfo "
	"sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr "
	"sched_getparam sched_getscheduler sched_rr_get_interval sched_rr_get_interval_time64 "
	"sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp "
	"security select semctl semget semop semtimedop semtimedop_time64 send=i sendfile=i "
	"sendfile64=i sendmmsg=f sendmsg=i sendto=i set_mempolicy set_mempolicy_home_node "
	"set_robust_list set_thread_area set_tid_address=G set_tls setdomainname setfsgid "
	"setfsgid32 setfsuid setfsuid32 setgid setgid32 setgroups setgroups32 sethostname "
	"setitimer setns=f setpgid setpriority setregid setregid32 setresgid setresgid32 "
	"setresuid setresuid32 setreuid setreuid32 setrlimit setsid setsockopt=f settimeofday "
	"setuid setuid32 setxattr=p setxattrat=a sgetmask shmat shmctl shmdt shmget shutdown=f "
	"sigaction sigaltstack signal signalfd=n signalfd4=n sigpending sigprocmask sigreturn "
	"sigsuspend socket=s socketcall socketpair=2 splice=i ssetmask stat=p stat64=p "
	"statfs=p statfs64=p statmount statx=a stime stty swapoff=p swapon=p symlink=P "
	"symlinkat=A sync sync_file_range=f sync_file_range2 syncfs=f sysfs sysinfo syslog "
	"tee=i tgkill time timer_create timer_delete timer_getoverrun timer_gettime "
	"timer_gettime64 timer_settime timer_settime64 timerfd_create=n timerfd_gettime=f "
	"timerfd_gettime64 timerfd_settime=f timerfd_settime64 times tkill truncate=p "
	"truncate64=p tuxcall ugetrlimit ulimit umask umount=p umount2=p uname unlink=p "
	"unlinkat=a unshare uretprobe uselib=p userfaultfd=n ustat utime=p utimensat=a "
	"utimensat_time64=a utimes=p vfork=k vhangup vm86 vm86old vmsplice=i vserver wait4 "
	"waitid waitpid write=i writev=i ";

static const uint8_t shapes[128] = {
	['f'] = MLV_STRACE_FD,      ['i'] = MLV_STRACE_IO,          ['p'] = MLV_STRACE_PATH,
	['P'] = MLV_STRACE_PATH_1,  ['a'] = MLV_STRACE_AT,          ['A'] = MLV_STRACE_AT_1,
	['c'] = MLV_STRACE_CREATE,  ['C'] = MLV_STRACE_CREATE_AT,   ['n'] = MLV_STRACE_NEW_FD,
	['m'] = MLV_STRACE_MEMFD,   ['s'] = MLV_STRACE_SOCKET,      ['2'] = MLV_STRACE_PAIR,
	['y'] = MLV_STRACE_ACCEPT,  ['o'] = MLV_STRACE_CONNECT,     ['b'] = MLV_STRACE_BIND,
	['x'] = MLV_STRACE_CLOSE,   ['X'] = MLV_STRACE_CLOSE_RANGE, ['d'] = MLV_STRACE_DUP,
	['D'] = MLV_STRACE_DUP_TO,  ['F'] = MLV_STRACE_FCNTL,       ['e'] = MLV_STRACE_EXEC,
	['E'] = MLV_STRACE_EXEC_AT, ['k'] = MLV_STRACE_FORK,        ['q'] = MLV_STRACE_EXIT,
	['g'] = MLV_STRACE_GETPID,  ['G'] = MLV_STRACE_GETTID,      ['M'] = MLV_STRACE_MMAP,
	['U'] = MLV_STRACE_MUNMAP,  ['R'] = MLV_STRACE_MREMAP,      ['B'] = MLV_STRACE_BRK,
};

/* The entry around `at`: where it begins and where its name ends. */
static size_t entry(const char *names, size_t at, size_t *name_end)
{
	while (at && names[at - 1] != ' ')
		at--;
	*name_end = at;
	while (names[*name_end] != ' ' && names[*name_end] != '=')
		(*name_end)++;
	return at;
}

static int order(struct mlv_str a, const char *b, size_t n)
{
	int d = memcmp(a.p, b, a.n < n ? a.n : n);
	return d ? d : a.n < n ? -1 : a.n > n;
}

enum mlv_strace_shape mlv_strace_shape(struct mlv_str name)
{
	bool second = name.n && name.p[0] >= 'n';
	const char *names = second ? names_from_n : names_to_m;
	size_t low = 0, high = (second ? sizeof(names_from_n) : sizeof(names_to_m)) - 1;
	while (low < high) {
		size_t end, at = entry(names, (low + high) / 2, &end);
		int d = order(name, names + at, end - at);
		if (d == 0)
			return names[end] == '=' ? shapes[(uint8_t)names[end + 1] & 127]
						 : MLV_STRACE_PLAIN;
		if (d < 0)
			high = at;
		else
			low = end + (names[end] == '=' ? 3 : 1);
	}
	return MLV_STRACE_UNKNOWN;
}
