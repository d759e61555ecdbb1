/* Plays AMD SMI (libamd_smi.so) to its Python module on a machine without a GPU.
 *
 * A test writes `played`: a number for each quantity of the one GPU, or a negative one, which is
 * AMD SMI's status instead (-2: not supported). All functions that aren't here are in a file that
 * the test makes, weak and not supported.
 *
 * Names, structures and numbers: the structures of the Python module, amdsmi_wrapper.py of ROCm 7.0.
 */
#include <stdint.h>
#include <string.h>

enum { WATTS, MICROWATTS_AT_MOST, ENERGY_COUNT, ACTIVITY, MEGAHERTZ, CELSIUS, BYTES, BYTES_IN_USE, PID,
       BYTES_OF_PROCESS, SERIAL, DRIVER, QUANTITIES };
double played[QUANTITIES];

typedef struct { uint64_t socket; uint32_t current, average; uint64_t volts[3]; uint32_t limit, padding; uint64_t reserved[18]; } Power;
typedef struct { uint64_t cap, others[4], reserved[3]; } Cap;
typedef struct {
    char market_name[256]; uint32_t vendor_id; char vendor_name[256]; uint32_t subvendor_id; uint64_t device_id;
    uint32_t revision; char serial[256]; uint32_t oam_id, units, padding; uint64_t target; uint32_t subsystem, reserved[21];
} __attribute__((packed)) Board;
typedef struct { char version[256], date[256], name[256]; } Driver;
typedef struct { uint32_t gfx, umc, mm, reserved[13]; } Activity;
typedef struct { uint32_t now, least, most; uint8_t locked, deep, padding[2]; uint32_t reserved[4]; } Clock;
typedef struct {
    char name[256]; uint32_t pid, padding; uint64_t bytes, gfx, enc; uint32_t engines[12]; uint64_t gtt, cpu, vram;
    uint32_t memory[10]; char container[256]; uint32_t occupancy, reserved[11];
} Process;

static int status_of(int quantity) { return played[quantity] < 0 ? (int)-played[quantity] : 0; }

int amdsmi_init(uint64_t flags) { (void)flags; return 0; }

int amdsmi_get_socket_handles(uint32_t *count, void **sockets) {
    *count = 1;
    if (sockets) sockets[0] = played;
    return 0;
}

int amdsmi_get_processor_handles(void *socket, uint32_t *count, void **processors) {
    *count = 1;
    if (processors) processors[0] = socket;
    return 0;
}

int amdsmi_get_gpu_asic_info(void *gpu, Board *board) {
    (void)gpu;
    memset(board, 0, sizeof *board);
    strcpy(board->market_name, "AMD Instinct MI300X");
    strcpy(board->serial, "0x1F3A00000000BEEF");
    board->target = 0x942;
    return status_of(SERIAL);
}

int amdsmi_get_gpu_driver_info(void *gpu, Driver *driver) {
    (void)gpu;
    memset(driver, 0, sizeof *driver);
    strcpy(driver->version, "6.14.14");
    return status_of(DRIVER);
}

int amdsmi_get_power_info(void *gpu, Power *power) {
    (void)gpu;
    *power = (Power){.current = 0xFFFF, .average = played[WATTS]};
    return status_of(WATTS);
}

int amdsmi_get_power_cap_info(void *gpu, uint32_t sensor, Cap *cap) {
    (void)gpu, (void)sensor;
    *cap = (Cap){.cap = played[MICROWATTS_AT_MOST]};
    return status_of(MICROWATTS_AT_MOST);
}

int amdsmi_get_energy_count(void *gpu, uint64_t *count, float *microjoules, uint64_t *time) {
    (void)gpu, (void)time;
    *count = played[ENERGY_COUNT];
    *microjoules = 15.25f;
    return status_of(ENERGY_COUNT);
}

int amdsmi_get_gpu_activity(void *gpu, Activity *activity) {
    (void)gpu;
    *activity = (Activity){.gfx = played[ACTIVITY]};
    return status_of(ACTIVITY);
}

int amdsmi_get_clock_info(void *gpu, uint32_t kind, Clock *clock) {
    (void)gpu;
    *clock = (Clock){.now = kind ? 0 : played[MEGAHERTZ]};
    return status_of(MEGAHERTZ);
}

int amdsmi_get_temp_metric(void *gpu, uint32_t sensor, uint32_t metric, int64_t *degrees) {
    (void)gpu;
    *degrees = sensor == 1 && !metric ? played[CELSIUS] : 0;
    return status_of(CELSIUS);
}

int amdsmi_get_gpu_memory_total(void *gpu, uint32_t kind, uint64_t *bytes) {
    (void)gpu;
    *bytes = kind ? 0 : played[BYTES];
    return status_of(BYTES);
}

int amdsmi_get_gpu_memory_usage(void *gpu, uint32_t kind, uint64_t *bytes) {
    (void)gpu;
    *bytes = kind ? 0 : played[BYTES_IN_USE];
    return status_of(BYTES_IN_USE);
}

int amdsmi_get_gpu_process_list(void *gpu, uint32_t *count, Process *processes) {
    (void)gpu;
    *count = 1;
    processes[0] = (Process){.pid = played[PID], .vram = played[BYTES_OF_PROCESS]};
    return status_of(PID);
}
