// The loudest band of a live signal, from a C++ program: a row is printed as soon as its frame is complete.
//
//     c++ -std=c++17 -o live live.cpp -lveery
//     arecord -q -f FLOAT_LE -r 16000 -c 1 -t raw | ./live
//
// Reads float32 samples of one channel at 16 kHz from standard input until it ends.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "veery.h"

namespace {

// Calls a function of veery.h, and throws its error.
template <typename Function, typename... Arguments>
void call(Function function, Arguments... arguments) {
    veery_error error;
    if (function(arguments..., &error) != VEERY_OK) throw std::runtime_error(error.text);
}

struct Destroy {
    void operator()(veery_plan *plan) const { veery_plan_destroy(plan); }
    void operator()(veery_stream *stream) const { veery_stream_destroy(stream); }
};

void run() {
    // Mel bands in decibels, one row every 10 ms.
    const std::string json = R"({"scale": {"kind": "db"}, "normalize": {"scope": "none"}})";
    veery_plan *made = nullptr;
    call(veery_plan_create_json, json.c_str(), json.size(), 16000u, &made);
    const std::unique_ptr<veery_plan, Destroy> plan(made);

    veery_plan_info info{};
    info.size = sizeof info;
    call(veery_plan_get_info, plan.get(), &info);
    std::vector<float> hertz(info.bins);
    call(veery_plan_axis, plan.get(), hertz.data(), hertz.size());

    veery_stream *opened = nullptr;
    call(veery_stream_create, plan.get(), 0u, &opened);
    const std::unique_ptr<veery_stream, Destroy> stream(opened);

    std::vector<float> samples(info.hop_length), rows;
    std::size_t row = 0;
    for (bool is_open = true; is_open;) {
        const std::size_t count = std::fread(samples.data(), sizeof(float), samples.size(), stdin);
        std::size_t available = 0, read = 0;
        if (count > 0) {
            call(veery_stream_push, stream.get(), samples.data(), count, &available);
            call(veery_stream_flush, stream.get(), &available);
        } else {
            is_open = false;
            call(veery_stream_finish, stream.get(), &available);
        }
        rows.resize(available * info.bins);
        call(veery_stream_read, stream.get(), rows.data(), available, &read);
        for (std::size_t index = 0; index < read; ++index, ++row) {
            const auto first = rows.begin() + static_cast<std::ptrdiff_t>(index * info.bins);
            const auto loudest = std::max_element(first, first + static_cast<std::ptrdiff_t>(info.bins));
            std::printf("%.3f s  %.0f Hz  %.1f dB\n", info.first_frame_time + static_cast<double>(row) * info.frame_period,
                static_cast<double>(hertz[static_cast<std::size_t>(loudest - first)]), static_cast<double>(*loudest));
        }
    }
    if (std::ferror(stdin)) throw std::runtime_error("standard input cannot be read");
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw std::runtime_error("standard output cannot be written");
}

}  // namespace

int main() {
    try {
        run();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "live: %s\n", error.what());
        return 1;
    }
    return 0;
}
