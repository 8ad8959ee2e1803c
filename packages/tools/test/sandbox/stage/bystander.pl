# A program beside the cage: it has secrets in its environment, in its memory and in shared memory, holds files open, and counts
# whoever reaches it by a socket, a pipe, a terminal, shared memory or a signal. Asked for its "status" it answers in one line.
use strict;
use warnings;
use Socket;
use IO::Select;
use Fcntl;
use IPC::SysV qw(IPC_CREAT IPC_RMID);

my ( $abstract, $abstract_datagrams, $datagrams, $pipe, $held, $key, $memory_key, $key_name ) = @ARGV;
my $secret = $ENV{BYSTANDER_TOKEN};
my %count  = map { $_ => 0 } qw(abstract abstractDatagrams datagrams pipe terminal signals);
$SIG{$_} = sub { $count{signals}++ } for qw(HUP INT TERM QUIT USR1 USR2 ALRM CONT WINCH URG IO);
$SIG{PIPE} = 'IGNORE';
$| = 1;

my %name;
my $waiting = IO::Select->new;

sub watch { my ( $handle, $name ) = @_; $name{ fileno $handle } = $name; $waiting->add($handle) }

sub address { pack_sockaddr_un( $_[0] ) }

socket( my $stream, AF_UNIX, SOCK_STREAM, 0 ) or die "socket: $!";
bind( $stream, address("\0$abstract") ) or die "abstract: $!";
listen( $stream, 16 );
watch( $stream, 'abstract' );
for ( [ "\0$abstract_datagrams", 'abstractDatagrams' ], [ $datagrams, 'datagrams' ] ) {
    socket( my $socket, AF_UNIX, SOCK_DGRAM, 0 ) or die "socket: $!";
    unlink $_->[0] if $_->[0] =~ m{^/};
    bind( $socket, address( $_->[0] ) ) or die "$_->[0]: $!";
    watch( $socket, $_->[1] );
}
for ( split /:/, $pipe ) {
    sysopen( my $fifo, $_, O_RDWR | O_NONBLOCK ) or die "$_: $!";
    watch( $fifo, 'pipe' );
}
open( my $held_file, '+<', $held ) or die "$held: $!";
open( my $key_file,  '<',  $key )  or die "$key: $!";

# Of another family of processors the numbers are others.
my $known = `uname -m` =~ /x86_64/;
my $terminal = '';
my $slave;
if ( sysopen( my $master, '/dev/ptmx', O_RDWR | O_NOCTTY ) ) {
    my $number = pack 'i', 0;
    my $unlock = pack 'i', 0;
    if ( ioctl( $master, 0x40045431, $unlock ) && ioctl( $master, 0x80045430, $number ) ) {
        $terminal = '/dev/pts/' . unpack 'i', $number;
        sysopen( $slave, $terminal, O_RDWR | O_NOCTTY );
        watch( $master, 'terminal' );
    }
}
my $shared = shmget( $memory_key, 128, IPC_CREAT | 0600 );
my $start  = sprintf '%-128s', "shared $secret";
shmwrite( $shared, $start, 0, 128 ) if defined $shared;
my $ring = -1;
if ($known) {
    my ( $type, $name, $payload ) = ( 'user', $key_name, "ring $secret" );
    $ring = syscall( 248, $type, $name, $payload, length $payload, -4 );
}

watch( \*STDIN, 'stdin' );
print "ready $terminal\n";
while (1) {
    my @ready = map { $name{ fileno $_ } eq 'stdin' ? () : $_ } $waiting->can_read;
    take($_) for @ready;
    next unless grep { fileno $_ == 0 } $waiting->can_read(0);
    last unless sysread STDIN, my $line, 100;
    while ( my @more = grep { fileno $_ != 0 } $waiting->can_read(0) ) { take($_) for @more }
    my $now = $start;
    shmread( $shared, $now, 0, 128 ) if defined $shared;
    my $changed = $now eq $start ? 0 : 1;
    shmwrite( $shared, $start, 0, 128 ) if $changed;
    my $other_key = $ring > 0 && payload() ne "ring $secret" ? 1 : 0;
    if ($other_key) { my $text = "ring $secret"; syscall 250, 2, $ring, $text, length $text }
    print '{', join( ',', map {"\"$_\":$count{$_}"} sort keys %count ), ",\"shared\":$changed,\"keyring\":$other_key}\n";
}
shmctl( $shared, IPC_RMID, 0 ) if defined $shared;
syscall( 250, 3, $ring ) if $ring > 0;

sub payload {
    my $kept = "\0" x 99;
    syscall 250, 11, $ring, $kept, 99;
    return $kept =~ s/\0.*//sr;
}

sub take {
    my ($handle) = @_;
    my $name = $name{ fileno $handle };
    $count{$name}++;
    if   ( $name eq 'abstract' ) { accept( my $peer, $handle ) }
    else                         { sysread $handle, my $bytes, 65536 or $waiting->remove($handle) }
}
